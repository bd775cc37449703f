"""Answers to commands and buttons: acknowledged, sent, with files and onboarding."""
