"""How the bot is reached: one folder a door, and `main`, the composition root."""
