"""The command layer: declarations, their grammar, and what each command answers."""
