"""Replies: their blocks, the views of papers and deliveries, and plain text."""
