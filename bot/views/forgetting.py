"""What is stored about somebody, as Replies."""

from collections.abc import Iterator

from bot.replies import Actions, Button, Fields, Level, Notice, Reply, Text, Title
from bot.wording import count
from store.forgetting import NOTHING, Facts

_LINE = "forget"
_NO_WAY_BACK = "It can't be brought back."
_UNNAMED = "They stay, but name you no more; if one ends, you won't be told."


def asking_reply(facts: Facts, confirm: str) -> Reply:
    """Say what is stored, and ask whether to delete it; `confirm` is the command that does."""
    blocks = (Title("What is stored about you"), Fields(tuple(_pairs(facts))))
    warning = Notice(Level.WARNING, f"Delete all of it? {_NO_WAY_BACK}", _kept(facts))
    buttons = [Button("Delete all of it", confirm)]
    if facts.saved:
        buttons.append(Button("Your list as JSON first", "saved as:json"))
    return Reply((*blocks, warning, Actions(tuple(buttons))), line=_LINE)


def forgotten_reply(facts: Facts) -> Reply:
    """Say what was deleted."""
    done = Notice(Level.INFO, "All that was stored about you is deleted.", _kept(facts))
    if facts == NOTHING:
        return Reply((done,), line=_LINE)
    return Reply((done, Text("That was:"), Fields(tuple(_pairs(facts)))), line=_LINE)


def nothing_reply() -> Reply:
    """Say that nothing is stored."""
    return Reply((Notice(Level.INFO, "Nothing is stored about you."),), line=_LINE)


def _kept(facts: Facts) -> str:
    return _UNNAMED if facts.orders else ""


def _pairs(facts: Facts) -> Iterator[tuple[str, str]]:
    """Give each kind of fact with how many there are, but for those of which there is none."""
    if facts.saved:
        notes = f", {count(facts.notes, 'note')}" if facts.notes else ""
        yield "list", f"{count(facts.saved, 'paper')}{notes}"
    if facts.seen or facts.briefs:
        yield "seen", f"{count(facts.seen, 'paper')}, {count(facts.briefs, 'brief')}"
    if facts.votes:
        yield "votes", count(facts.votes, "vote")
    if facts.own_orders or facts.settings:
        orders, settings = count(facts.own_orders, "subscription"), count(facts.settings, "setting")
        yield "direct messages", f"{orders}, {settings}"
    if facts.orders:
        yield "your name", f"on {count(facts.orders, 'subscription')} that you gave channels"
    if facts.installations:
        yield "installed", f"your name on {count(facts.installations, 'installation')}"
    if facts.welcomed:
        yield "welcome", "that Broadsheet explained itself to you"
