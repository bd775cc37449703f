"""Following sources: which come with the program, and when each is fetched."""
