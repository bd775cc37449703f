"""Messages of users to the bot: direct messages, and mentions in servers."""
