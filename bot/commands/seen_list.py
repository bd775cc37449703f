"""The list that a person saw last in a place, and their last change: noted after an answer.

The list is looked up by number.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.commands.parser import command_string, parse
from bot.commands.plain_words.list_references import ListReference
from bot.commands.types import Context, Group
from bot.errors import ArgumentError, Option, UserError
from bot.replies.blocks import Actions, Block, Pager, PaperCard, PaperList, Reply
from bot.replies.wording import ANOTHER, MORE, NEXT, count
from store.readers import read_papers, recent_changes, seen_lists
from store.readers.recent_changes import RecentChange
from store.records import SeenList

# A list that was seen longer ago is forgotten, as what was talked about is.
LIFETIME = timedelta(hours=1)
NARROWING = "narrow "  # and filters: what a line may mean that no command's name begins
_QUERY = "query"
_OF_PAGE, _TIMES = frozenset({"page", "of"}), frozenset({"period", "since", "until"})
_MOST_SHOWN = 3
_LONGEST = 100  # refs of several pages that are kept together

EXPECTED = "A paper is named by its number in a list, an arXiv id or address, or its title."


async def find_noted(context: Context) -> SeenList | None:
    """Return what `find_seen` does, once the person's answers before have been noted."""
    await context.background.wait_for(context.actor.person)
    return await find_seen(context)


async def find_seen(context: Context) -> SeenList | None:
    """Return the list that the user saw last there, `None` if that is over an hour ago.

    The thread of a post is a place of its own: what the post shows counts there until the user has
    seen something else in it.
    """
    return await _find(context, *await _place(context))


async def find_page(context: Context, *, is_next: bool) -> str | None:
    """Return the command of the next or the previous page of the list seen last, if there is one.

    From the first page it goes back to that same page where a paper was spoken of in between, or
    before.
    """
    seen = await find_noted(context)
    if seen is None or is_next:
        return seen.more if seen else None
    return seen.back or (seen.command if seen.it else None)


async def narrow_seen(commands: Sequence[str], context: Context) -> Sequence[str]:
    """Return commands with one that narrows the list seen last written out, or without it."""
    narrowing = [each for each in commands if each.startswith(NARROWING)]
    if not narrowing:
        return commands
    others = [each for each in commands if each not in narrowing]
    seen = await find_noted(context)
    if seen is None or seen.command is None:
        return others
    try:
        listed = parse(seen.command, context.commands)
        added = parse(narrowing[0].replace(NARROWING, f"{listed.command.name} "), context.commands)
    except UserError:  # it takes no such filters
        return others
    if added.loose:
        return others
    new = added.arguments
    if words := " ".join(each.arguments.get(_QUERY, "") for each in (listed, added)).strip():
        new = {**new, _QUERY: words}
    kept = {name: text for name, text in listed.arguments.items() if name not in _OF_PAGE}
    if not _TIMES.isdisjoint(new):
        kept = {name: text for name, text in kept.items() if name not in _TIMES}
    return [command_string(listed.command, {**kept, **new}), *others]


async def has_it(context: Context) -> bool:
    """Tell whether a single paper was spoken of there in the last hour."""
    seen = await find_noted(context)
    return seen is not None and seen.it is not None


async def find_below_post(context: Context) -> SeenList | None:
    """Return what `find_seen` does in the thread of a post, `None` anywhere else."""
    place, post = await _place(context)
    return await _find(context, place, post) if post else None


async def _find(context: Context, place: str, post: SeenList | None) -> SeenList | None:
    since = context.clock.now() - LIFETIME
    own = await context.database.read(
        seen_lists.find, context.actor.person, context.workspace, place, since
    )
    if post is None or own is None:
        return own or post
    shown = own if own.refs else post
    return replace(shown, it=own.it or post.it)


async def _place(context: Context) -> tuple[str, SeenList | None]:
    """Return the place whose lists are the request's, and the post whose thread it is.

    Without a channel that is the workspace.
    """
    actor = context.actor
    place = actor.channel or actor.workspace
    if actor.thread is None:
        return place, None
    post = await context.database.read(seen_lists.of_message, context.workspace, actor.thread)
    return (f"{place}:{actor.thread}" if post else place), post


async def find_refs(reference: ListReference, context: Context) -> tuple[str, ...] | None:
    """Return the refs of the papers that some words speak of, `None` if no list has numbers.

    Raises:
        ArgumentError: if the list has no such paper, with those that it has.
    """
    seen = await find_noted(context)
    if reference.is_it:
        return _it(seen)
    if seen is None or not seen.refs:
        channel = context.actor.channel or context.actor.workspace
        seen = await context.database.read(seen_lists.last_post_of, context.workspace, channel)
    if seen is None or not seen.refs:
        if reference.is_one and reference.numbers[0] > 0:
            return None
        raise ArgumentError("You have seen no list here in the last hour.", EXPECTED)
    return seen.refs if reference.is_all else tuple(_by_number(reference.numbers, seen))


def _it(seen: SeenList | None) -> tuple[str, ...]:
    if seen and seen.it:
        return (seen.it,)
    if seen and len(seen.refs) == 1:
        return seen.refs
    if seen is None:
        raise ArgumentError("No paper was spoken of here in the last hour.", EXPECTED)
    offered = tuple(map(Option, seen.refs[:_MOST_SHOWN]))
    raise ArgumentError(
        "You have looked at no paper by itself here.", "Which one do you mean?", offered
    )


def _by_number(numbers: Sequence[int], seen: SeenList) -> Iterator[str]:
    last = seen.first + len(seen.refs) - 1
    for number in numbers:
        wanted = last + 1 + number if number < 0 else number
        if not seen.first <= wanted <= last:
            first = f"papers {seen.first} to {last}" if seen.first > 1 else count(last, "paper")
            raise ArgumentError(
                f"There is no paper {number} in the list that you saw last: it has {first}.",
                EXPECTED,
                (Option(seen.refs[-1], "The last one"),),
            )
        yield seen.refs[wanted - seen.first]


async def with_read_marks(context: Context, reply: Reply) -> Reply:
    """Return a reply that marks the listed papers that the user has read, unless all see it."""
    actor, refs = context.actor, {line.ref for each in _lists(reply) for line in each.papers}
    is_of_one = actor.remembers or actor.in_chat  # pages and assistants are nobody's
    if not refs or actor.shares or not is_of_one:
        return reply
    found = await context.database.read(read_papers.among, context.actor.person, refs)
    if not found:
        return reply
    return replace(reply, blocks=tuple(_marked(each, found) for each in reply.blocks))


def _marked(block: Block, read: Collection[str]) -> Block:
    if not isinstance(block, PaperList):
        return block
    return replace(
        block, papers=tuple(replace(each, read=each.ref in read) for each in block.papers)
    )


async def note_answer(context: Context, reply: Reply) -> None:
    """Store how to take back what an answer changed, and the list or the paper that it showed."""
    if undo := reply.undo:
        change = RecentChange(undo.was, undo.commands, undo.why)
        there = context.workspace if undo.there else None
        person, at = context.actor.person, context.clock.now()
        await context.database.write(recent_changes.note, person, change, there, at, context.key)
    await note_seen(context, reply)


async def note_seen(context: Context, reply: Reply) -> None:
    """Store the list or the paper that a reply showed; everyone's, if it was shared.

    What is a person's own is shared with nobody.
    """
    seen, actor = shown_by(reply, context.clock.now()), context.actor
    if seen and not (seen.command and _only_lists(seen.command, context)):
        seen = replace(seen, command=None)
    if seen is None or (actor.shares and reply.private):
        return
    if actor.shares and actor.channel:
        workspace, channel = context.workspace, actor.channel
        await context.database.write(seen_lists.note_for_all, workspace, channel, seen)
        return
    place, post = await _place(context)
    # Most lists that are seen were seen just before: a read is cheaper than a write.
    if before := await _find(context, place, post):
        if _is_same(before, seen):
            return
        seen = _continued(before, seen, reply.command)
    await context.database.write(seen_lists.note, actor.person, place, seen)


def _only_lists(command_string: str, context: Context) -> bool:
    """Tell whether a command changes nothing, so that its list may be shown again or narrowed."""
    name = command_string.partition(" ")[0]
    return any(
        each.name == name and each.group is not Group.CHANNEL and not each.changes
        for each in context.commands
    )


def _is_same(before: SeenList, seen: SeenList) -> bool:
    """Tell whether a list or a paper is the one that was noted a short while ago."""
    is_recent = seen.at - before.at < LIFETIME / 2
    same_list = not seen.refs or replace(before, it=None, at=seen.at) == seen
    return is_recent and same_list and seen.it in (None, before.it)


def _continued(before: SeenList, seen: SeenList, command: str | None) -> SeenList:
    """Return a page together with the pages before it that were seen of the same list."""
    is_next = before.more == command and before.first + len(before.refs) == seen.first > 1
    refs = (*before.refs, *seen.refs)[-_LONGEST:]
    if not is_next:
        return seen
    return replace(seen, refs=refs, first=seen.first + len(seen.refs) - len(refs))


def shown_by(reply: Reply, at: datetime) -> SeenList | None:
    """Return the list that a reply shows at an instant, or the paper of its card. Pure."""
    if reply.failed:
        return None
    cards = [*dict.fromkeys(each.ref for each in reply.blocks if isinstance(each, PaperCard))]
    it, another = cards[0] if len(cards) == 1 else None, _behind(reply, ANOTHER)
    more = _behind(reply, MORE, begins=NEXT)
    if it and not more:
        return SeenList((), 1, it, another, None, at)
    if cards:
        return SeenList(tuple(cards), 1, it, more, None, at)
    lists = _lists(reply)
    if not lists:
        return None
    pager = next((each for each in reply.blocks if isinstance(each, Pager)), None)
    more, back = (pager.next, pager.previous) if pager else (more, None)
    refs = tuple(dict.fromkeys(line.ref for each in lists for line in each.papers))
    return SeenList(refs, lists[0].first, None, more, back, at, reply.command)


def _lists(reply: Reply) -> list[PaperList]:
    return [each for each in reply.blocks if isinstance(each, PaperList) and each.papers]


def _behind(reply: Reply, label: str, begins: str | None = None) -> str | None:
    """Return the command of the first button with a label, or one that `begins` so."""
    rows = (each for each in reply.blocks if isinstance(each, Actions))
    buttons = (each for row in rows for each in row.buttons)
    wanted = (
        each
        for each in buttons
        if each.label == label or (begins and each.label.startswith(begins))
    )
    return next((each.command for each in wanted), None)
