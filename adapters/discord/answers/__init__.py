"""Answers to interactions: their display, their responses, the command strings of buttons."""
