"""Answers to interactions: their responses, the command strings of buttons."""
