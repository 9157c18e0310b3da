"""The tour: every question of the exercise, answered with evidence that is computed in the run."""
