"""The commands save, unsave, note and saved: the reader's list."""

import asyncio

from bot.actor import Actor
from bot.commands.params.papers import (
    LISTED,
    LISTED_OR_ANY,
    PAPER,
    NamedPaper,
    nearest,
    saved_papers,
)
from bot.commands.params.scalars import NOTE, PAGE, YES, choice
from bot.commands.params.topics_and_sources import TOPIC
from bot.commands.parser import command_string, page_string, pager
from bot.commands.types import Command, Context, Form, Group, Param
from bot.commands.views.saved import (
    empty_reply,
    export_reply,
    file_reply,
    list_reply,
    not_listed_reply,
    note_reply,
    noted_reply,
    nothing_on_reply,
    removed_reply,
    saved_reply,
)
from bot.errors import Option, Suggestion, UserError
from bot.export.saved_list import FORMATS, Format
from bot.replies.blocks import Button, File, Reply
from bot.replies.wording import count
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from store.readers import saved as lists
from store.readers.saved import Listing, SavedPaper
from store.records import Mention

# With all its buttons a page is one message, also in Discord, where a button takes most room.
_PAGE = 8
# A longer export is a file.
_LONGEST_TEXT, _MOST_AS_TEXT = 2_500, 5
_IDS_AT_ONCE = 100


async def save(context: Context, paper: Mention) -> Reply:
    """Put a paper on the user's list."""
    entry = paper.entry
    wanted = Listing(entry.ref, entry.title, context.clock.now())
    saving = await context.database.write(lists.save, context.actor.person, wanted, context.request)
    return saved_reply(wanted, saving)


async def unsave(context: Context, paper: NamedPaper) -> Reply:
    """Take a paper off the user's list."""
    removal = await context.database.write(
        lists.unsave, context.actor.person, paper.ref, context.request
    )
    if removal.was_listed:
        return removed_reply(paper, removal)
    return not_listed_reply(paper, nearest(paper.title, await saved_papers(context)))


async def note(
    context: Context, paper: NamedPaper, text: str | None = None, remove: str | None = None
) -> Reply:
    """Put a note on a paper of the user's list, show it, or `remove` it."""
    person = context.actor.person
    if not text and not remove:
        kept = await context.database.read(lists.note_on, person, paper.ref)
        return note_reply(paper, kept, context.actor, NOTE_ON)
    wanted = Listing(paper.ref, paper.title, context.clock.now())
    noting = await context.database.write(lists.note, person, wanted, text or None, context.request)
    return noted_reply(paper, noting)


def _form_fields(_actor: Actor) -> tuple[str, ...]:
    return ("text",)


async def _form_values(context: Context) -> dict[str, str]:
    """Return the present note; an emptied field removes it.

    If the paper is unknown by now, the submitted form says so.
    """
    try:
        paper = await LISTED_OR_ANY.read(context.arguments.get("paper", ""), context)
    except UserError:
        return {"remove": "yes"}
    kept = await context.database.read(lists.note_on, context.actor.person, paper.ref)
    return {"text": kept or "", "remove": "yes"}


async def saved(
    context: Context,
    topic: str | None = None,
    format: str | None = None,  # noqa: A002 - what the argument is called on Discord
    page: int = 1,
) -> Reply:
    """List the saved papers, or export them in a format."""
    if format is not None:
        return await _exported(context, topic, FORMATS[format])
    person, offset = context.actor.person, (page - 1) * _PAGE
    found = await context.database.read(lists.list_page, person, topic, _PAGE, offset)
    if not found.papers:
        if found.total:
            first = Suggestion("The first page", page_string(SAVED, context, 1))
            raise UserError("Your list has no page so far on.", suggestions=(first,))
        return _nothing(context, topic)
    pages = pager(SAVED, context, page, more=found.total > offset + _PAGE)
    refs = {paper.mentions[0].entry.ref for paper in found.papers if paper.mentions}
    return list_reply(found, topic, pages, _formats(topic), await context.count_votes(refs))


def _nothing(context: Context, topic: str | None) -> Reply:
    if topic is None:
        return empty_reply(context.actor, context.commands)
    return nothing_on_reply(topic)


def _formats(topic: str | None) -> tuple[Button, ...]:
    return tuple(
        Button(f"As {each.label}", command_string(SAVED, {"topic": topic, "format": name}))
        for name, each in FORMATS.items()
    )


async def _exported(context: Context, topic: str | None, form: Format) -> Reply:
    papers = await context.database.read(lists.list_all, context.actor.person, topic)
    if not papers:
        return _nothing(context, topic)
    # In a thread: a long list takes a while.
    text = await asyncio.to_thread(form.write, papers, await _arxiv_facts(context, papers))
    words = f"{count(len(papers), 'paper')} as {form.label}."
    if len(text) <= _LONGEST_TEXT and len(papers) <= _MOST_AS_TEXT:
        return export_reply(words, text)
    return file_reply(words, File(form.file_name, form.media_type, text.encode(), words))


async def _arxiv_facts(context: Context, papers: list[SavedPaper]) -> dict[str, ArxivPaper]:
    """Return the arXiv facts of papers, not cached: the list is one reader's."""
    ids = {each.entry.arxiv_id for paper in papers for each in paper.mentions}
    facts: dict[str, ArxivPaper] = {}
    wanted = sorted(filter(None, ids))
    for start in range(0, len(wanted), _IDS_AT_ONCE):
        some = wanted[start : start + _IDS_AT_ONCE]
        facts |= await context.database.read(arxiv.known, some)
    return facts


_FORMAT = choice(
    "FORMAT",
    "a format",
    f"The formats are {', '.join(FORMATS)}.",
    tuple(Option(name, each.label) for name, each in FORMATS.items()),
    {"bib": "bibtex", "md": "markdown"},
)

SAVE = Command(
    name="save",
    group=Group.LIST,
    summary="Put a paper on your list",
    handler=save,
    params=(Param("paper", "The paper", PAPER, required=True),),
    examples=("save 3", "save 2501.12948"),
    changes=True,
)
UNSAVE = Command(
    name="unsave",
    group=Group.LIST,
    summary="Take a paper off your list",
    handler=unsave,
    params=(Param("paper", "The paper", LISTED, required=True),),
    examples=("unsave 3", "unsave attention"),
    changes=True,
)
NOTE_ON = Command(
    name="note",
    group=Group.LIST,
    summary="A note of your own on a paper, which goes on your list with it",
    handler=note,
    params=(
        Param(
            "paper", "The paper: one word, or in quotes after paper:", LISTED_OR_ANY, required=True
        ),
        Param("text", "The note; without one you see what it is", NOTE, label="Your note"),
        Param("remove", "Whether the note goes without one", YES, key="remove", hidden=True),
    ),
    custom_form=Form("Your note", "Keep", _form_fields, _form_values, "remove"),
    examples=("note 3 compare with our baseline", 'note paper:"sparse attention" read by Monday'),
    changes=True,
)
SAVED = Command(
    name="saved",
    group=Group.LIST,
    summary="Your list: what you saved, last first, with your notes",
    handler=saved,
    params=(
        Param("topic", "Only papers of this topic", TOPIC, key="topic"),
        Param("format", "The whole list as a file for other programs", _FORMAT, key="as"),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("saved", "saved topic:agents", "saved as:bibtex"),
    private=True,
)
