"""Set-up by an operator: the manifest, the checks of `doctor`, the verbs of the terminal."""
