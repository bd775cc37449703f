"""The types of parameters: how each is read, written, completed and described."""
