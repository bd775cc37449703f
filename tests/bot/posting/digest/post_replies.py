"""Posts of the edition that a filled store has, for what is pressed in them."""

from bot.posting.digest import lay_out_post
from bot.posting.digest.paper_list import Fits
from bot.replies.blocks import Reply
from store.records import Edition, Layout
from tests.bot.posting.digest.editions import order, paper, week

TITLES = ("Sparse Attention", "A Survey of Agents", "Routing Experts")
REFS = tuple(f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))
EDITION: Edition = week(*(paper(rank, title) for rank, title in enumerate(TITLES, start=1)))


def posted(layout: Layout, fits: Fits) -> list[Reply]:
    """Return the messages of a post."""
    made = lay_out_post(EDITION, order(layout), fits)
    return [draft.reply for draft in made.messages] if made else []
