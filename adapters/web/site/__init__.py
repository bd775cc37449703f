"""The web pages as files: which file a path is, the folder that they stand in, the writing."""
