"""The types of arguments, one file a type: how each is read, completed and described."""
