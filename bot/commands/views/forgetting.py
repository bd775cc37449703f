"""What is stored about somebody, as Replies."""

from collections.abc import Iterator

from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, Reply, Text, Title
from bot.replies.wording import count
from store.readers.erasure import NOTHING, Facts

_LINE = "forget"
_NO_WAY_BACK = "It can't be brought back."
_UNNAMED = (
    "The subscriptions you gave channels stay, without your name; if one ends, you won't be told."
)


def asking_reply(facts: Facts, confirm: str) -> Reply:
    """Say what is stored, and ask whether to delete it; `confirm` is the command that does."""
    blocks = (Title("What is stored about you"), Fields(tuple(_pairs(facts))))
    warning = Notice(Level.WARNING, f"Delete all of it? {_NO_WAY_BACK}", _kept(facts))
    buttons = [Button("Delete all of it", confirm, turns=True)]
    if facts.saved:
        buttons.append(Button("Your list as JSON first", "saved as:json"))
    return Reply((*blocks, warning, Actions(tuple(buttons))), command=_LINE)


def forgotten_reply(facts: Facts) -> Reply:
    """Say what was deleted."""
    blocks: list[Block] = [Notice(Level.INFO, "All that was stored about you is deleted.")]
    if facts != NOTHING:
        blocks += [Text("That was:"), Fields(tuple(_pairs(facts)))]
    if kept := _kept(facts):
        blocks.append(Text(kept))
    return Reply(tuple(blocks), command=_LINE)


def nothing_reply() -> Reply:
    """Say that nothing is stored."""
    return Reply((Notice(Level.INFO, "Nothing is stored about you."),), command=_LINE)


def _kept(facts: Facts) -> str:
    return _UNNAMED if facts.orders else ""


def _pairs(facts: Facts) -> Iterator[tuple[str, str]]:
    """Give each kind of fact with how many there are, but for those of which there is none."""
    if facts.saved:
        yield "list", _counts((facts.saved, "paper"), (facts.notes, "note"))
    if facts.seen or facts.briefs:
        yield "seen", _counts((facts.seen, "paper"), (facts.briefs, "brief"))
    if facts.votes:
        yield "votes", count(facts.votes, "vote")
    if facts.own_orders or facts.settings:
        own = _counts((facts.own_orders, "subscription"), (facts.settings, "setting"))
        yield "direct messages", own
    if facts.orders:
        yield "your name", f"on {count(facts.orders, 'subscription')} that you gave channels"
    if facts.installations:
        yield "installed", f"your name on {count(facts.installations, 'installation')}"
    if facts.lines:
        yield "buttons", f"{count(facts.lines, 'long command')} behind buttons that you were shown"
    if facts.welcomed:
        yield "welcome", "that you have been welcomed"


def _counts(*each: tuple[int, str]) -> str:
    """Word how many there are of each, but for those of which there is none."""
    return ", ".join(count(number, noun) for number, noun in each if number)
