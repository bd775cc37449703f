"""The servers that the bot joins and leaves."""
