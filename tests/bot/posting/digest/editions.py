"""Short ways to write stored editions and subscriptions in tests of digests."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from bot.posting.digest.layouts import lay_out_post
from bot.posting.digest.paper_list import Fits
from bot.replies.blocks import Actions, Block, PaperCard, PaperList, Reply
from bot.replies.plain_text import plain_text
from store.records import Channel, Edition, Entry, Highlight, Layout, Subscription, Workspace

MONDAY = date(2026, 1, 5)
ORDER = Subscription(
    Channel(Workspace("slack", "T1"), "C1"),
    weekday=0,
    local_time=time(9),
    zone="Europe/Berlin",
    next_due_at=datetime(2026, 1, 12, 8, tzinfo=UTC),
    sources=("dair",),
    id=7,
)


def paper(rank: int, title: str = "", *topics: str, **fields: Any) -> Entry:
    """Return a ranked entry with a summary of two sentences."""
    entry = Entry(
        ref=f"dair:2026-01-05#{rank}",
        position=rank - 1,
        rank=rank,
        episode=None,
        title=title or f"Paper {rank}",
        summary=f"Says what number {rank} is about. And more of it.",
        highlights=(Highlight("Lead", f"A point of number {rank}."),),
        heading=None,
        section=None,
        links=(),
        arxiv_id=None,
        doi=None,
        topics=topics,
    )
    return replace(entry, **fields)


def week(*entries: Entry, first_day: date = MONDAY, **fields: Any) -> Edition:
    """Return a week's edition of these entries."""
    edition = Edition(
        source="dair",
        kind="newsletter",
        title="Top Papers of the Week (January 5-11)",
        first_day=first_day,
        last_day=first_day + timedelta(days=6),
        published_on=None,
        year_rule=None,
        overview=None,
        minutes=None,
        url=None,
        headings=(),
        entries=entries,
    )
    return replace(edition, **fields)


def order(layout: Layout = Layout.COMPACT, **fields: Any) -> Subscription:
    """Return a subscription."""
    return replace(ORDER, layout=layout, **fields)


def roomy(reply: Reply) -> bool:
    """Tell that a message of no platform is too long."""
    del reply
    return True


def short(reply: Reply) -> bool:
    """Tell whether a message is as short as a strict platform wants it: 700 characters."""
    return len(plain_text(reply)) <= 700


def titles(reply: Reply) -> list[str]:
    """Return the titles of the papers that a message lists or shows, in order."""
    return [title for block in reply.blocks for title in _titles(block)]


def buttons(reply: Reply) -> list[tuple[str, str]]:
    """Return the labels and commands of the buttons below a message."""
    rows = [block for block in reply.blocks if isinstance(block, Actions)]
    return [(button.label, button.command) for row in rows for button in row.buttons]


def menus(reply: Reply) -> list[str]:
    """Return the commands of the menus that a message's lists share, in order."""
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return list(dict.fromkeys(menu.command for block in lists for menu in block.menus))


def leads_to(reply: Reply) -> list[str]:
    """Return the refs of the papers that a message has a button or an option for, in order."""
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    opened = [block for block in lists if "show" in menus(Reply((block,)))]
    listed = [paper.ref for block in opened for paper in block.papers]
    commands = (command for _, command in buttons(reply))
    below = [line.removeprefix("show ") for line in commands if line.startswith("show ")]
    return listed + below


def _titles(block: Block) -> list[str]:
    match block:
        case PaperList(papers):
            return [each.title for each in papers]
        case PaperCard(title=title):
            return [title]
        case _:
            return []


TITLES = ("Sparse Attention", "A Survey of Agents", "Routing Experts")
REFS = tuple(f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))
EDITION: Edition = week(*(paper(rank, title) for rank, title in enumerate(TITLES, start=1)))


def posted(layout: Layout, fits: Fits) -> list[Reply]:
    """Return the messages of a post."""
    made = lay_out_post(EDITION, order(layout), fits)
    return [draft.reply for draft in made.messages] if made else []
