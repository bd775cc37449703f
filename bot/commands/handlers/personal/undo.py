"""The undo command: the user's last change is taken back, by the command that restores what was."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from bot.commands.handlers.channel.offers import Offer
from bot.commands.params.arguments import read_call
from bot.commands.params.scalars import BRIEF_ID, YES
from bot.commands.parser import parse
from bot.commands.permissions import require_permission
from bot.commands.types import PRESSED, Command, Context, Group, Param
from bot.errors import Suggestion, UserError
from bot.replies.blocks import Actions, Block, Button, Level, Notice, Reply
from store.readers import recent_changes
from store.readers.recent_changes import LIFETIME, LastChange, Taken

_NOTHING = "You have changed nothing here in the last hour that can be taken back."
_WHAT_CAN_BE = (
    "That can what you save, read, note, vote for, dismiss or want alerts of, and what you change"
    " in a channel; not what was posted, which people have seen, nor what forget deleted."
)
_GONE = "That was taken back before, is an hour old, or was somebody else's change."
_UNCHANGED = "Nothing else has changed."
_TOKEN_BYTES = 12


async def undo(context: Context, change: int | None = None, leave: str | None = None) -> Reply:
    """Take back the user's last change of the last hour, and say what it was.

    `change` is the number of the change that a button was made for, so that a second press takes
    back no other. To `leave` it has the one before come next. What is refused stays the last one.
    The same request again is answered by the same change.
    """
    person = context.actor.person
    await context.background.wait_for(person)  # the change before may still be noted
    request = context.key or secrets.token_urlsafe(_TOKEN_BYTES)
    since = context.clock.now() - LIFETIME
    taken = await context.database.write(
        recent_changes.take, person, context.workspace, since, request, change
    )
    if taken is None and change is not None:
        return await _not_the_last(context, change)
    if taken is None:
        return Reply((Notice(Level.INFO, _NOTHING, _WHAT_CAN_BE),))
    if leave:
        sentence = f"Left as it is: you {taken.change.was}."
        return Reply((Notice(Level.INFO, sentence, _goes_on(taken)),))
    if not taken.change.commands:
        sentence = f"You {taken.change.was}. That can't be taken back: {taken.change.why}"
        return Reply((Notice(Level.INFO, sentence, _goes_on(taken)),))
    replies: list[Reply] = []
    try:
        for number, line in enumerate(taken.change.commands):
            replies.append(await _run(line, context, number))
    except Exception as error:
        left = taken.change.commands[len(replies) :]
        await context.database.write(recent_changes.put_back, person, request, left)
        if isinstance(error, UserError):
            raise _refused(taken, error) from None
        raise
    is_done = taken.again or any(each.undo for each in replies)
    words = "Taken back" if is_done else "Not taken back"
    done = Notice(Level.INFO, f"{words}: you {taken.change.was}.", _goes_on(taken))
    return Reply((done, *_blocks(replies)), command=replies[-1].command)


def _refused(taken: Taken, error: UserError) -> UserError:
    """Return the error for a change that can't be taken back now: again, or the one before it."""
    sentence = f"You {taken.change.was}. That can't be taken back now: {error.sentence}"
    line = f"undo change:{taken.number}"
    offered = [*error.suggestions, Suggestion("Try again", line)]
    if taken.before is not None:
        offered.append(Suggestion("Leave it", f"{line} leave:yes"))
    return UserError(sentence, error.remedy, tuple(offered))


async def offer_undo(context: Context) -> Offer:
    """Offer to take back the user's last change by its number, or say that there is none."""
    last = await _find_last(context)
    if last is None:
        sentence, button = _NOTHING, Button("Undo", UNDO.name, by=context.actor.user)
    else:
        sentence, button = f"You {last.was}.", _take_back(context, last)
    return Offer(sentence, (button, Button("What is new instead", "latest")))


async def _not_the_last(context: Context, number: int) -> Reply:
    """Say that a change is not the last one any more, and offer the one that is, if it is later."""
    last = await _find_last(context)
    if last is None or last.number <= number:
        return Reply((Notice(Level.INFO, _GONE, _UNCHANGED),))
    sentence = f"After that you {last.was}, which goes first."
    return Reply((Notice(Level.INFO, sentence, _UNCHANGED), Actions((_take_back(context, last),))))


async def _find_last(context: Context) -> LastChange | None:
    person = context.actor.person
    await context.background.wait_for(person)
    since = context.clock.now() - LIFETIME
    return await context.database.read(recent_changes.find_last, person, context.workspace, since)


def _take_back(context: Context, last: LastChange) -> Button:
    return Button("Take back", f"undo change:{last.number}", by=context.actor.user)


async def _run(line: str, context: Context, number: int) -> Reply:
    """Carry out a command string as the user's own, the one of that number of the request."""
    call = parse(line, context.commands)
    require_permission(context.actor, call.command)
    key = f"{context.key}/{number}" if context.key and number else context.key
    ready = await read_call(call, replace(context, key=key, origin=PRESSED))
    return await ready.command.handler(ready.context, **ready.values)


def _goes_on(taken: Taken) -> str:
    """Say what the same command would take back next."""
    if taken.before is None:
        return "Nothing before it is left to be taken back."
    return f"Before it you {taken.before}; undo again takes that back too."


def _blocks(replies: Sequence[Reply]) -> tuple[Block, ...]:
    """Return the blocks of several answers, with the buttons of the last alone."""
    before = (
        block for each in replies[:-1] for block in each.blocks if not isinstance(block, Actions)
    )
    return (*before, *replies[-1].blocks)


UNDO = Command(
    name="undo",
    group=Group.LIST,
    summary="Take back your last change of the last hour; again, the one before",
    handler=undo,
    params=(
        Param("change", "The change of a button", BRIEF_ID, key="change", buttons=True),
        Param("leave", "Whether to leave it as it is", YES, key="leave", buttons=True),
    ),
    examples=("undo",),
    private=True,
    changes=True,
)
