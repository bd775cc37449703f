"""Digests: what a post says of an edition, and why. Pure.

`filters.py` judges which papers an order wants, `listing.py` and `cards.py` lay out one message
each, the richest that a platform takes, and `posts.py` makes whole posts of them.
"""

from bot.posting.digest.filters import Reason, Verdict, judged, kept
from bot.posting.digest.posts import Draft, Post, again, digest_of, post

__all__ = ["Draft", "Post", "Reason", "Verdict", "again", "digest_of", "judged", "kept", "post"]
