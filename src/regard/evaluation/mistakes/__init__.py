"""What often accompanies a classifier's mistakes: rules, the phrases they look for, and how often each holds."""
