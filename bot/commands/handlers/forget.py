"""The forget command: the data stored about the user, shown and deleted."""

from collections.abc import Iterator

from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param, ParamType, as_typed, complete_nothing
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
            return Reply((Notice(Level.INFO, "Nothing is stored about you."),), command=FORGET.name)
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
    blocks: list[Block] = [Notice(Level.INFO, "All that was stored about you is deleted.")]
    if stored != NOTHING:
        blocks += [Text("That was:"), Fields(tuple(_pairs(stored)))]
    if stored.subscriptions:
        blocks.append(Text(_UNNAMED))
    return Reply(tuple(blocks), command=FORGET.name)


_CONFIRM = ParamType("PERSON", as_typed, complete_nothing, "The id of whoever was asked.")

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


_UNNAMED = (
    "The subscriptions you gave channels stay, without your name; if one ends, you won't be told."
)


def _asking_reply(facts: StoredFacts, confirm: str) -> Reply:
    """Show the stored data, and ask whether to delete it by the command string `confirm`."""
    blocks = (Title("What is stored about you"), Fields(tuple(_pairs(facts))))
    sentence = "Delete all of it? It can't be brought back."
    warning = Notice(Level.WARNING, sentence, _UNNAMED if facts.subscriptions else "")
    first = (Button("Your list as JSON first", "saved as:json"),) if facts.saved else ()
    delete = Button("Delete all of it", confirm, turns=True)
    return Reply((*blocks, warning, Actions((*first, delete))), command=FORGET.name)


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
    if facts.lists:
        yield "lists", f"the list that you saw last in {count(facts.lists, 'place')}"
    if facts.welcomed:
        yield "welcome", "that you have been welcomed"


def _counts(*each: tuple[int, str]) -> str:
    """Word the numbers of several kinds, without those that are none."""
    return ", ".join(count(number, noun) for number, noun in each if number)
