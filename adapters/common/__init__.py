"""Helpers that platforms share: layout of replies, background tasks, files, server time."""
