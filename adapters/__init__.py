"""The adapters of the bot: one package per platform, and `main`, the composition root."""
