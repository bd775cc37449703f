"""Answers to commands and buttons: how they are run, sent, and followed by files."""
