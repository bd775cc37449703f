"""Installations in workspaces: OAuth, tokens, welcome and removal."""
