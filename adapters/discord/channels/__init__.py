"""The channels of a server: the user's view, the bot's permissions, the targets of posts."""
