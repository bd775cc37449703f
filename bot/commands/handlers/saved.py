"""The commands save, unsave, note and saved: the reader's list."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.actor import Actor
from bot.commands.handlers.help import typed_by
from bot.commands.handlers.pagination import no_page, page_of, page_string, pager
from bot.commands.handlers.papers import TOPIC_OF
from bot.commands.params.filters import FILTERS, PERIOD_FILTER, filters_of, in_words
from bot.commands.params.papers import (
    LISTED_OR_ANY,
    LISTED_PAPERS,
    PAPERS,
    NamedPaper,
    nearest,
    saved_papers,
)
from bot.commands.params.scalars import NOTE, PAGE, YES, choice
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Form, Group, Param
from bot.errors import Option, UserError
from bot.export.saved_list import FORMATS, NOT_IN_AN_EDITION, ListFormat
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    File,
    Level,
    Menu,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    Verbatim,
)
from bot.replies.naming import line_about
from bot.replies.papers import place_line
from bot.replies.wording import count
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from store.readers import saved as lists
from store.readers.saved import Listing, SavedPage, SavedPaper, SaveResult, UnsaveResult
from store.records import Mention
from store.search import Filters

# With all its buttons a page is one message, also in Discord, where a button takes most room.
# A longer export is a file.
_LONGEST_TEXT, _MOST_AS_TEXT = 2_500, 5
_IDS_AT_ONCE = 100
# The states of a paper after it was to be saved.
_NEW, _OLD, _GONE = "On your list", "On your list already", "Off your list since"


async def save(context: Context, paper: Sequence[Mention]) -> Reply:
    """Put a paper or several on the user's list."""
    now = context.clock.now()
    wanted = [Listing(each.entry.ref, each.entry.title, now) for each in paper]
    saving = await context.database.write(
        lists.save_all, context.actor.person, wanted, context.request
    )
    if len(paper) > 1:
        return _several_saved_reply(wanted, saving)
    [entry], [saved] = [each.entry for each in paper], saving
    ref, title = entry.ref, entry.title
    if not saved.is_listed:
        return _answer(f"{_GONE}: {title}.", "", ref, _save_again(ref))
    words = _NEW if saved.is_new else _OLD
    take_back = Button("Take back", f"unsave {ref}")
    return _answer(f"{words}: {title}.", "", ref, take_back, _write(ref))


def _several_saved_reply(wanted: Sequence[Listing], saving: Sequence[SaveResult]) -> Reply:
    """Name each paper that was saved, and offer to take those back that are new."""
    by_state: dict[str, list[Listing]] = {_NEW: [], _OLD: [], _GONE: []}
    for each, saved in zip(wanted, saving, strict=True):
        state = _NEW if saved.is_new else _OLD if saved.is_listed else _GONE
        by_state[state].append(each)
    blocks: list[Block] = []
    for words, papers in by_state.items():
        if papers:
            titles = "; ".join(each.title for each in papers)
            blocks.append(
                Notice(Level.INFO, f"{words}: {count(len(papers), 'paper')}.", f"{titles}.")
            )
    new = by_state[_NEW]
    undo = (Button("Take back", f"unsave {','.join(each.ref for each in new)}"),) if new else ()
    return Reply((*blocks, Actions((*undo, _LIST))), private=True)


async def unsave(context: Context, paper: Sequence[NamedPaper]) -> Reply:
    """Take a paper or several off the user's list."""
    refs = [each.ref for each in paper]
    removals = await context.database.write(
        lists.unsave_all, context.actor.person, refs, context.request
    )
    if len(paper) > 1:
        return _several_removed_reply(paper, removals)
    [only], [removal] = paper, removals
    ref, title = only.ref, only.title
    if removal.was_listed:
        note_was = f"Your note on it was: {removal.note}" if removal.note else ""
        return _answer(f"Off your list: {title}.", note_was, ref, _save_again(ref))
    others = nearest(title, await saved_papers(context))
    more = "Your list is empty."
    if others:
        more = f"Did you mean {'one of these' if len(others) > 1 else 'this one'}?"
    save_it = Button("Save", f"save {ref}")
    return _answer(f"Not on your list: {title}.", more, ref, *map(_take_off, others), save_it)


def _several_removed_reply(papers: Sequence[NamedPaper], removals: Sequence[UnsaveResult]) -> Reply:
    gone = [paper for paper, removed in zip(papers, removals, strict=True) if removed.was_listed]
    if not gone:
        return Reply((Notice(Level.INFO, "None of them is on your list."), Actions((_LIST,))))
    titles = "; ".join(each.title for each in gone)
    notice = Notice(Level.INFO, f"Off your list: {count(len(gone), 'paper')}.", f"{titles}.")
    again = Button("Save again", f"save {','.join(each.ref for each in gone)}")
    return Reply((notice, Actions((again, _LIST))), private=True)


async def note(
    context: Context, paper: NamedPaper, text: str | None = None, remove: str | None = None
) -> Reply:
    """Put a note on a paper of the user's list, show it, or `remove` it."""
    person = context.actor.person
    if not text and not remove:
        kept = await context.database.read(lists.note_on, person, paper.ref)
        return _note_reply(paper, kept, context.actor)
    wanted = Listing(paper.ref, paper.title, context.clock.now())
    noting = await context.database.write(lists.note, person, wanted, text or None, context.request)
    was = f"It was: {noting.before}" if noting.before else ""
    if noting.after is None:
        words = f"No note on {paper.title} any more." if was else f"No note was on {paper.title}."
        return _answer(words, was, paper.ref, _write(paper.ref))
    where = "Noted on" if noting.was_listed else "Saved with your note."
    words = f"{where} {paper.title}: {noting.after}"
    return _answer(words, was, paper.ref, _remove(paper.ref))


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
    format: str | None = None,  # noqa: A002 - what the argument is called on Discord
    page: int = 1,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """List the saved papers, or export them in a format."""
    filters = filters_of(**given)
    if format is not None:
        return await _exported(context, filters, FORMATS[format])
    person, shown = context.actor.person, page_of(context, page)
    found = await context.database.read(lists.list_page, person, filters, shown.size, shown.start)
    if not found.papers:
        if found.total:
            raise no_page("Your list", page_string(SAVED, context, 1))
        return _nothing(context, filters)
    pages = pager(SAVED, context, shown, found.total)
    refs = {paper.mentions[0].entry.ref for paper in found.papers if paper.mentions}
    votes = await context.count_votes(refs)
    return _list_reply(context, found, filters, pages, votes, shown.start + 1)


def _nothing(context: Context, filters: Filters) -> Reply:
    if filters:
        wanted = in_words(filters)
        notice = Notice(Level.INFO, f"Nothing{wanted} is on your list.")
        given = {name: text for name, text in context.arguments.items() if name not in _OWN}
        others = Button(f"Papers{wanted}", command_string(TOPIC_OF, given))
        return Reply((notice, Actions((_LIST, others))))
    typed = typed_by(context.actor, context.commands)("save 3")
    how = f"Save a paper by its number: {typed}"
    if context.actor.in_chat:
        how = f"Press Save at a paper, or pick it in the menu of a list; or type {typed}"
    notice = Notice(Level.INFO, "Nothing is on your list yet.", how)
    return Reply((notice, Actions((Button("Latest edition", "latest"),))))


async def _exported(context: Context, filters: Filters, form: ListFormat) -> Reply:
    papers = await context.database.read(lists.list_all, context.actor.person, filters)
    if not papers:
        return _nothing(context, filters)
    # In a thread: a long list takes a while.
    text = await asyncio.to_thread(form.write, papers, await _arxiv_facts(context, papers))
    words = f"{count(len(papers), 'paper')} as {form.label}."
    if len(text) <= _LONGEST_TEXT and len(papers) <= _MOST_AS_TEXT:
        return Reply((Text(words), Verbatim(text)))
    file = File(form.file_name, form.media_type, text.encode(), words)
    return Reply((Text(words), file))


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
    params=(Param("paper", "The paper, or several", PAPERS, required=True),),
    examples=("save 3", "save 1-3", "save 2501.12948"),
    changes=True,
)
UNSAVE = Command(
    name="unsave",
    group=Group.LIST,
    summary="Take a paper off your list",
    handler=unsave,
    params=(Param("paper", "The paper, or several", LISTED_PAPERS, required=True),),
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
        Param("remove", "Whether the note goes without one", YES, key="remove", buttons=True),
    ),
    form=Form("Your note", "Keep", _form_values, lambda _actor: ("text",)),
    examples=("note 3 compare with our baseline", 'note paper:"sparse attention" read by Monday'),
    changes=True,
)
SAVED = Command(
    name="saved",
    group=Group.LIST,
    summary="Your list: what you saved, last first, with your notes",
    handler=saved,
    params=(
        PERIOD_FILTER,
        *FILTERS,
        Param("format", "The whole list as a file for other programs", _FORMAT, key="as"),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("saved", "saved agents", "saved as:bibtex"),
    private=True,
)


def _note_reply(paper: NamedPaper, note: str | None, actor: Actor) -> Reply:
    """Show the note on a paper, and how to write one."""
    # Without forms the button would lead here again.
    ways = (_write(paper.ref),) if actor.in_chat else ()
    another = "one" if note is None else "another"
    how = "" if ways else f"To write {another}: {NOTE_ON.name} {paper.ref} your words"
    if note is None:
        how = how or f"Usage: {NOTE_ON.usage_for(actor)}"
        return _answer(f"You have no note on {paper.title}.", how, paper.ref, *ways)
    words = f"Your note on {paper.title}: {note}"
    return _answer(words, how, paper.ref, *ways, _remove(paper.ref))


_LIST = Button("Your list", "saved")
_TAKE_OFF = Menu("Take a paper off", "unsave", "Take off")


def _save_again(ref: str) -> Button:
    return Button("Save again", f"save {ref}")


def _write(ref: str) -> Button:
    return Button("Write a note", f"note {ref}", form=True)


def _remove(ref: str) -> Button:
    return Button("Remove note", f"note {ref} remove:yes")


def _take_off(paper: SavedPaper) -> Button:
    return Button(f"Take off: {paper.title}", f"unsave {paper.ref}")


def _answer(words: str, more: str, ref: str, *buttons: Button) -> Reply:
    """Report a change; sharing it shares the paper and nothing private."""
    notice = Notice(Level.INFO, words, more)
    return Reply((notice, Actions((*buttons, _LIST))), command=f"show {ref}")


_OWN = ("format", "page")  # arguments that are no filters


def _list_reply(  # noqa: PLR0913, PLR0917 - a page, and what it is a page of
    context: Context,
    page: SavedPage,
    filters: Filters,
    pager: Pager | None,
    votes: Mapping[str, int],
    first: int,
) -> Reply:
    """Show a page of the list from its paper `first` on, with buttons that export the list."""
    notes = f" · {count(page.notes, 'note')}" if page.notes else ""
    blocks: list[Block] = [
        Title(f"Your list: papers{in_words(filters)}" if filters else "Your list"),
        Text(f"{count(page.total, 'paper')}, the last saved first{notes}"),
    ]
    if kept := tuple(_line(each, votes) for each in page.papers if each.mentions):
        blocks.append(PaperList(kept, first=first, menus=(_TAKE_OFF,)))
    # Papers that are in no edition any more can only be removed.
    gone = [each for each in page.papers if not each.mentions]
    for each in gone:
        blocks.append(Text(f"{each.title} · {NOT_IN_AN_EDITION}"))
        if each.note:
            blocks.append(Text(f"Your note: {each.note}"))
    if gone:
        blocks.append(Actions(tuple(map(_take_off, gone))))
    whole = {**context.arguments, "page": None}
    formats = tuple(
        Button(each.label, command_string(SAVED, {**whole, "format": name}))
        for name, each in FORMATS.items()
    )
    blocks.append(Choices("The whole list as a file", formats))
    return Reply((*blocks, pager) if pager else tuple(blocks))


def _line(saved: SavedPaper, votes: Mapping[str, int]) -> PaperLine:
    mention = saved.mentions[0]
    line = f"Your note: {saved.note}" if saved.note else line_about(mention.entry)
    return replace(place_line(mention, votes), line=line)
