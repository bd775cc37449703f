"""Digests: the posts that editions become in channels. Pure.

`filters.py` selects papers, `paper_list.py` and `cards.py` lay out one message each, the richest
that a platform takes, and `layouts.py` makes whole posts of them. `personal.py` does so of what was
picked for one reader.
"""
