"""The chat page: the commands for readers in a browser on this machine, without a script."""
