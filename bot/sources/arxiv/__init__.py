"""Enriching: what arXiv says of papers that editions mention is asked for and kept.

`answers.py` and `withdrawal.py` read what it says, and are pure; `enriching.py` asks.
"""

from bot.sources.arxiv.metadata import Enriching

__all__ = ["Enriching"]
