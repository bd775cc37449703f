"""Set-up by an operator: the checks of `doctor`, the verbs of the terminal."""
