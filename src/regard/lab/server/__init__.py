"""The lab's server: its routes, who may ask what, and what chapters ask of Python."""
