"""Digests: the posts that editions become in channels. Pure.

`filters.py` selects papers, `paper_list.py` and `cards.py` lay out one message each, the richest
that a platform takes, and `layouts.py` makes whole posts of them. `personal.py` does so of what was
picked for one reader.
"""

from bot.posting.digest.filters import EntryVerdict, Reason, apply_filters, selected_entries
from bot.posting.digest.layouts import (
    Draft,
    Post,
    content_digest,
    count_messages,
    lay_out_post,
    redraw,
)
from bot.posting.digest.personal import lay_out_personal

__all__ = [
    "Draft",
    "EntryVerdict",
    "Post",
    "Reason",
    "apply_filters",
    "content_digest",
    "count_messages",
    "lay_out_personal",
    "lay_out_post",
    "redraw",
    "selected_entries",
]
