"""The channels of a server: what a user sees, what the bot may do there, where posts go."""
