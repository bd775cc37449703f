"""Replies: the blocks of an answer, how papers and deliveries look in one, and plain text."""
