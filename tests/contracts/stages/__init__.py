"""The bot on each platform, with people around it, for tests of posts and of what they press."""
