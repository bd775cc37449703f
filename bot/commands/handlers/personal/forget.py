"""The forget command: the data stored about the user, shown and deleted."""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from hashlib import blake2b

from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param, ParamType, as_typed, complete_nothing
from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, Reply, Text, Title
from bot.replies.wording import count
from store.coordination.request_claims import Claim, claim
from store.readers import erasure
from store.readers.erasure import NOTHING, StoredFacts

_ASKED_FOR = timedelta(hours=1)
_TOKEN_BYTES = 12


async def forget(context: Context, confirm: str | None = None) -> Reply:
    """Show the data stored about the user, and delete it once the same user confirms.

    Whoever was not asked within the hour, or confirmed already, is asked first.
    """
    actor = context.actor
    await context.background.wait_for(actor.person)  # or it would be stored after this
    alone = actor.home is not None
    if confirm is None:
        return await _ask(context)
    deleted = await context.database.write(
        erasure.forget_if_asked,
        actor.person,
        context.request,
        _asked(context, confirm),
        alone=alone,
    )
    if deleted is None:
        return await _ask(context)
    context.notify()
    blocks: list[Block] = [Notice(Level.INFO, "All that was stored about you is deleted.")]
    if deleted != NOTHING:
        blocks += [Text("That was:"), Fields(tuple(_pairs(deleted)))]
    if deleted.subscriptions:
        blocks.append(Text(_UNNAMED))
    return Reply(tuple(blocks), command=FORGET.name)


async def _ask(context: Context) -> Reply:
    """Show what is stored, and note that the user was asked: the noted token confirms it once."""
    person = context.actor.person
    alone = context.actor.home is not None
    stored = await context.database.read(erasure.facts, person, alone=alone)
    if stored == NOTHING:
        return Reply((Notice(Level.INFO, "Nothing is stored about you."),), command=FORGET.name)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    await context.database.write(claim, _asked(context, token))
    return _asking_reply(stored, command_string(FORGET, {"confirm": token}))


def _asked(context: Context, token: str) -> Claim:
    """Return the claim that a question to the user makes."""
    workspace, user = context.actor.person.workspace, context.actor.user
    words = f"{workspace.platform}/{workspace.external_id}/{user}/{token}"
    key = f"asked:{blake2b(words.encode(), digest_size=16).hexdigest()}"
    return Claim(key, context.system_clock.now(), _ASKED_FOR)


_CONFIRM = ParamType("TOKEN", as_typed, complete_nothing, "What the question noted.")

FORGET = Command(
    name="forget",
    group=Group.LIST,
    summary="Delete all that is stored about you; it asks once and says what that is",
    handler=forget,
    params=(Param("confirm", "That the user was asked", _CONFIRM, key="confirm", buttons=True),),
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
    long_commands = _counts((facts.command_strings, "long command"))
    kinds = (
        ("list", _counts((facts.saved, "paper"), (facts.notes, "note"), (facts.tags, "tag"))),
        ("seen", _counts((facts.seen, "paper"), (facts.briefs, "brief"))),
        ("votes", _counts((facts.votes, "vote"))),
        ("alerts", _counts((facts.alerts, "alert"))),
        ("not for you", _counts((facts.dismissed, "paper"))),
        (
            "direct messages",
            _counts((facts.own_subscriptions, "subscription"), (facts.settings, "setting")),
        ),
        (
            "your name",
            _behind("on ", facts.subscriptions, "subscription", " that you gave channels"),
        ),
        ("installed", _behind("your name on ", facts.installations, "installation")),
        ("buttons", long_commands and f"{long_commands} behind buttons that you were shown"),
        ("lists", _behind("the list that you saw last, or when, in ", facts.lists, "place")),
        ("undo", _behind("", facts.changes, "change", " of yours that undo takes back")),
        ("welcome", "that you have been welcomed" if facts.welcomed else ""),
    )
    return ((name, words) for name, words in kinds if words)


def _behind(before: str, number: int, noun: str, after: str = "") -> str:
    """Word a number between words, nothing if it is none."""
    return f"{before}{count(number, noun)}{after}" if number else ""


def _counts(*each: tuple[int, str]) -> str:
    """Word the numbers of several kinds, without those that are none."""
    return ", ".join(count(number, noun) for number, noun in each if number)
