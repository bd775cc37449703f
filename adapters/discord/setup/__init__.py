"""Set-up by an operator: the checks of `broadsheet doctor`, the commands of the terminal."""
