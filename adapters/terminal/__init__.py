"""The terminal: replies on a screen, and the prompt that asks for them."""
