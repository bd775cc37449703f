"""Replies laid out for a chat platform: pieces, cut by meaning, gathered in parts. Pure.

What is the same wherever messages have limits stands here; what a platform takes, and how a
piece looks there, stands in its own `render`.
"""
