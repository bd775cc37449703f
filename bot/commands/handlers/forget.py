"""The forget command: the data stored about the user, shown and deleted."""

from collections.abc import Iterator

from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param, ParamType, complete_nothing
from bot.posting.ports import DIRECT
from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, Reply, Text, Title
from bot.replies.wording import count
from store.readers import erasure
from store.readers.erasure import NOTHING, StoredFacts


async def forget(context: Context, confirm: str | None = None) -> Reply:
    """Show the data stored about the user, and delete it once the same user confirms.

    Another user who presses the button is asked first.
    """
    await context.background.wait()  # or what it writes would be stored after this
    actor = context.actor
    alone = actor.home is not None
    if confirm != actor.user:
        stored = await context.database.read(
            erasure.facts, actor.person, alone=alone, direct=DIRECT
        )
        if stored == NOTHING:
            return _nothing_reply()
        return _asking_reply(stored, command_string(FORGET, {"confirm": actor.user}))
    stored = await context.database.write(
        erasure.forget,
        actor.person,
        context.request,
        context.system_clock.now(),
        alone=alone,
        direct=DIRECT,
    )
    context.notify()
    return _forgotten_reply(stored)


async def _as_typed(text: str, _context: Context) -> str:
    return text


_CONFIRM = ParamType("PERSON", _as_typed, complete_nothing, "The id of whoever was asked.")

FORGET = Command(
    name="forget",
    group=Group.LIST,
    summary="Delete all that is stored about you; it asks once and says what that is",
    handler=forget,
    params=(Param("confirm", "Who was asked", _CONFIRM, key="confirm", hidden=True),),
    examples=("forget",),
    private=True,
    changes=True,
)


_LINE = "forget"
_NO_WAY_BACK = "It can't be brought back."
_UNNAMED = (
    "The subscriptions you gave channels stay, without your name; if one ends, you won't be told."
)


def _asking_reply(facts: StoredFacts, confirm: str) -> Reply:
    """Show the stored data, and ask whether to delete it by the command string `confirm`."""
    blocks = (Title("What is stored about you"), Fields(tuple(_pairs(facts))))
    warning = Notice(Level.WARNING, f"Delete all of it? {_NO_WAY_BACK}", _kept(facts))
    buttons = [Button("Delete all of it", confirm, turns=True)]
    if facts.saved:
        buttons.append(Button("Your list as JSON first", "saved as:json"))
    return Reply((*blocks, warning, Actions(tuple(buttons))), command=_LINE)


def _forgotten_reply(facts: StoredFacts) -> Reply:
    """Show the deleted data."""
    blocks: list[Block] = [Notice(Level.INFO, "All that was stored about you is deleted.")]
    if facts != NOTHING:
        blocks += [Text("That was:"), Fields(tuple(_pairs(facts)))]
    if kept := _kept(facts):
        blocks.append(Text(kept))
    return Reply(tuple(blocks), command=_LINE)


def _nothing_reply() -> Reply:
    """Say that nothing is stored."""
    return Reply((Notice(Level.INFO, "Nothing is stored about you."),), command=_LINE)


def _kept(facts: StoredFacts) -> str:
    return _UNNAMED if facts.subscriptions else ""


def _pairs(facts: StoredFacts) -> Iterator[tuple[str, str]]:
    """Yield each kind of data with its number, without those that are none."""
    if facts.saved:
        yield "list", _counts((facts.saved, "paper"), (facts.notes, "note"))
    if facts.seen or facts.briefs:
        yield "seen", _counts((facts.seen, "paper"), (facts.briefs, "brief"))
    if facts.votes:
        yield "votes", count(facts.votes, "vote")
    if facts.own_subscriptions or facts.settings:
        own = _counts((facts.own_subscriptions, "subscription"), (facts.settings, "setting"))
        yield "direct messages", own
    if facts.subscriptions:
        yield "your name", f"on {count(facts.subscriptions, 'subscription')} that you gave channels"
    if facts.installations:
        yield "installed", f"your name on {count(facts.installations, 'installation')}"
    if facts.command_strings:
        yield (
            "buttons",
            f"{count(facts.command_strings, 'long command')} behind buttons that you were shown",
        )
    if facts.welcomed:
        yield "welcome", "that you have been welcomed"


def _counts(*each: tuple[int, str]) -> str:
    """Word the numbers of several kinds, without those that are none."""
    return ", ".join(count(number, noun) for number, noun in each if number)
