"""The commands read and unread: papers that the user has read."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.commands.params.papers import PAPERS
from bot.commands.types import Command, Context, Group, Param
from bot.errors import ArgumentError
from bot.replies.blocks import Actions, Button, Level, Notice, Reply, Undo
from bot.replies.naming import shown_title
from bot.replies.plain_text import quoted
from bot.replies.wording import count, shorten
from store.readers import read_papers
from store.records import Mention

_LONGEST_TITLE = 150
# Behind "read" and "unread" they ask for papers, and name none.
_ASKING = re.compile(
    r"(?:more|about|on|up|me|my|some\w*|any\w*|papers?|articles?|things?|stuff|list)\b",
    re.IGNORECASE,
)
_MARKED = "Lists that you see mark it so, and your list has it last."


async def read(context: Context, paper: Sequence[Mention]) -> Reply:
    """Mark a paper or several as read."""
    refs, now = [each.entry.ref for each in paper], context.clock.now()
    changed = await context.database.write(
        read_papers.mark, context.actor.person, refs, now, context.request
    )
    return _reply(paper, changed, "read", "unread", _MARKED)


async def unread(context: Context, paper: Sequence[Mention]) -> Reply:
    """Mark a paper or several as not read."""
    refs = [each.entry.ref for each in paper]
    changed = await context.database.write(
        read_papers.unmark, context.actor.person, refs, context.request
    )
    return _reply(paper, changed, "unread", "read", "")


def _reply(
    papers: Sequence[Mention], changed: Sequence[bool], state: str, other: str, more: str
) -> Reply:
    """Name the papers that were marked, and offer to mark them as before."""
    new = [each for each, is_new in zip(papers, changed, strict=True) if is_new]
    again = "" if new else " already"
    named = new or papers
    titles = "; ".join(shorten(shown_title(each.entry), _LONGEST_TITLE) for each in named)
    number = count(len(named), "paper")
    what, titled = (titles, more) if len(named) == 1 else (number, f"{titles}.")
    notice = Notice(Level.INFO, f"Marked as {state}{again}: {what}.", titled)
    before = Button(f"Mark as {other}", f"{other} {','.join(each.entry.ref for each in named)}")
    undo = Undo(f"marked {what} as {state}", (before.command,)) if new else None
    shown = f"show {papers[0].entry.ref}" if len(papers) == 1 else None
    details = (Button("Details", shown),) if shown else ()
    return Reply((notice, Actions((before, *details))), command=shown, private=True, undo=undo)


async def _read_named(text: str, context: Context) -> Sequence[Mention]:
    """Read papers that are named; what begins as a wish for papers names none."""
    if _ASKING.match(text.strip()):
        raise ArgumentError(f"{quoted(text, 60)} names no paper.", PAPERS.expected)
    found: Sequence[Mention] = await PAPERS.read(text, context)
    return found


_PAPERS = Param("paper", "The paper, or several", replace(PAPERS, read=_read_named), required=True)
READ = Command(
    name="read",
    group=Group.LIST,
    summary="Mark a paper as read",
    handler=read,
    params=(_PAPERS,),
    examples=("read 3", "read 1-3"),
    private=True,
    changes=True,
)
UNREAD = Command(
    name="unread",
    group=Group.LIST,
    summary="Mark a paper as not read",
    handler=unread,
    params=(_PAPERS,),
    examples=("unread 3",),
    private=True,
    changes=True,
)
