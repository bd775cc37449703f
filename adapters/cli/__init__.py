"""The verbs of `broadsheet`, one file a family."""
