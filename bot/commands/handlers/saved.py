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
from bot.commands.params.tags import OWN_TAGS, TAGS, nearest_tags, own_tags, tags_in_words
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
    Undo,
    Verbatim,
)
from bot.replies.list_changes import save_again, state_of, take_back, undo_of, untagged
from bot.replies.naming import line_about
from bot.replies.papers import place_line
from bot.replies.wording import count
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from store.readers import saved as lists
from store.readers.saved import (
    Listing,
    NoteResult,
    SavedPage,
    SavedPaper,
    SaveResult,
    TooManyTags,
    UnsaveResult,
)
from store.records import Mention
from store.search import Filters

# With all its buttons a page is one message, also in Discord, where a button takes most room.
# A longer export is a file.
_LONGEST_TEXT, _MOST_AS_TEXT = 2_500, 5
_IDS_AT_ONCE = 100
_NO_TAGS = "You have no tags yet; save gives one: save 3 tag:rag"


async def save(context: Context, paper: Sequence[Mention], tag: Sequence[str] = ()) -> Reply:
    """Put a paper or several on the user's list, and give them tags."""
    now = context.clock.now()
    wanted = [Listing(each.entry.ref, each.entry.title, now) for each in paper]
    try:
        saving = await context.database.write(
            lists.save_all, context.actor.person, wanted, context.request, tag
        )
    except TooManyTags as error:
        owner = "You have" if error.title is None else f"{error.title} has"
        sentence = f"{owner} too many tags then: {error.most} are the most."
        raise UserError(sentence, "Take one off first: unsave 3 tag:rag") from None
    if len(paper) > 1:
        return _several_saved_reply(wanted, saving, tag)
    [entry], [saved] = [each.entry for each in paper], saving
    ref, title = entry.ref, entry.title
    words = f"{state_of(saved, tag)}: {title}."
    if not saved.is_listed:
        return _answer(words, "", ref, Button("Save again", context.command_string))
    others = [each for each in saved.tags if each not in tag]
    more = f"{'Its other' if tag else 'Its'} tags: {', '.join(others)}." if others else ""
    back = take_back(wanted, saving) or (Button("Take off", f"unsave {ref}"),)
    reply = _answer(words, more, ref, *back, _write(ref))
    return replace(reply, undo=_undo_saving(wanted, saving))


def _several_saved_reply(
    wanted: Sequence[Listing], saving: Sequence[SaveResult], tags: Sequence[str]
) -> Reply:
    """Name each paper that was saved, and offer to take back what is new."""
    by_state: dict[str, list[Listing]] = {}
    # What is new comes first.
    for each, saved in sorted(
        zip(wanted, saving, strict=True), key=lambda both: not both[1].is_new
    ):
        by_state.setdefault(state_of(saved, tags), []).append(each)
    blocks: list[Block] = []
    for words, papers in by_state.items():
        titles = "; ".join(each.title for each in papers)
        blocks.append(Notice(Level.INFO, f"{words}: {count(len(papers), 'paper')}.", f"{titles}."))
    buttons = Actions((*take_back(wanted, saving), _LIST))
    return Reply((*blocks, buttons), private=True, undo=_undo_saving(wanted, saving))


def _undo_saving(wanted: Sequence[Listing], saving: Sequence[SaveResult]) -> Undo | None:
    did = "saved {}" if any(each.is_new for each in saving) else "tagged {}"
    both = zip(wanted, saving, strict=True)
    changed = [paper for paper, saved in both if saved.is_new or saved.added]
    return undo_of(did, changed, take_back(wanted, saving))


async def unsave(context: Context, paper: Sequence[NamedPaper], tag: Sequence[str] = ()) -> Reply:
    """Take a paper or several off the user's list, or just some tags off them."""
    refs, person = [each.ref for each in paper], context.actor.person
    if tag:
        removals = await context.database.write(lists.untag_all, person, refs, tag, context.request)
        if len(paper) > 1 or removals[0].was_listed:
            notice, buttons = untagged(paper, removals, tag)
            lost = [each for each, it in zip(paper, removals, strict=True) if it.tags]
            undo = undo_of("took tags off {}", lost, buttons) if lost else None
            return Reply((notice, Actions((*buttons, _LIST))), private=True, undo=undo)
    else:
        removals = await context.database.write(lists.unsave_all, person, refs, context.request)
    if len(paper) > 1:
        return _several_removed_reply(paper, removals)
    [only], [removal] = paper, removals
    ref, title = only.ref, only.title
    if removal.was_listed:
        note_was = f"Your note on it was: {removal.note}" if removal.note else ""
        again = save_again(paper, removals)
        reply = _answer(f"Off your list: {title}.", note_was, ref, *again)
        return replace(reply, undo=_undo_removal(paper, removals))
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
    buttons = Actions((*save_again(papers, removals), _LIST))
    return Reply((notice, buttons), private=True, undo=_undo_removal(papers, removals))


def _undo_removal(papers: Sequence[NamedPaper], removals: Sequence[UnsaveResult]) -> Undo | None:
    """Return how papers come on the list again, each with its tags and its note."""
    gone = [each for each in zip(papers, removals, strict=True) if each[1].was_listed]
    notes = (_note_string(paper.ref, removed.note) for paper, removed in gone if removed.note)
    again = save_again(papers, removals)
    return undo_of("took {} off your list", [paper for paper, _ in gone], again, notes)


def _note_string(ref: str, text: str) -> str:
    return command_string(NOTE_ON, {"paper": ref, "text": text})


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
    undo = _undo_note(paper, noting)
    if noting.after is None:
        words = f"No note on {paper.title} any more." if was else f"No note was on {paper.title}."
        return replace(_answer(words, was, paper.ref, _write(paper.ref)), undo=undo)
    where = "Noted on" if noting.was_listed else "Saved with your note."
    words = f"{where} {paper.title}: {noting.after}"
    return replace(_answer(words, was, paper.ref, _remove(paper.ref)), undo=undo)


def _undo_note(paper: NamedPaper, noting: NoteResult) -> Undo | None:
    """Return how the note before is restored, and that its paper was not saved before."""
    if noting.before == noting.after:
        return None
    if noting.before:
        line = _note_string(paper.ref, noting.before)
    else:
        line = _remove(paper.ref).command if noting.was_listed else f"unsave {paper.ref}"
    did = "wrote a note on {}" if noting.after else "removed the note on {}"
    return undo_of(did, [paper], (), [line])


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
    tag: Sequence[str] = (),
    page: int = 1,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """List the saved papers, or export them in a format."""
    filters = filters_of(**given)
    if format is not None:
        return await _exported(context, filters, tag, FORMATS[format])
    person, shown = context.actor.person, page_of(context, page)
    found = await context.database.read(
        lists.list_page, person, filters, shown.size, shown.start, tag
    )
    if not found.papers:
        if found.total:
            raise no_page("Your list", page_string(SAVED, context, 1))
        return await _nothing(context, filters, tag)
    pages = pager(SAVED, context, shown, found.total)
    refs = {paper.mentions[0].entry.ref for paper in found.papers if paper.mentions}
    votes = await context.count_votes(refs)
    wanted = _wanted(filters, tag)
    return _list_reply(context, found, wanted, pages, votes, shown.start + 1)


def _wanted(filters: Filters, tags: Sequence[str]) -> str:
    """Word what is wanted of the list, to stand behind `papers`."""
    return f"{in_words(filters)} tagged {' or '.join(tags)}" if tags else in_words(filters)


async def _nothing(context: Context, filters: Filters, tags: Sequence[str]) -> Reply:
    if filters or tags:
        known = await own_tags(context) if tags else {}
        notice = Notice(
            Level.INFO,
            f"Nothing{_wanted(filters, tags)} is on your list.",
            f"{tags_in_words(known)}." if known else _NO_TAGS if tags else "",
        )
        unknown = (each for each in tags if each not in known)
        near = dict.fromkeys(each for tag in unknown for each in nearest_tags(tag, known))
        meant = (command_string(SAVED, {**context.arguments, "tag": each}) for each in near)
        buttons = [*(Button(each, each) for each in meant), _LIST]
        if filters:
            given = {name: text for name, text in context.arguments.items() if name not in _OWN}
            string = command_string(TOPIC_OF, given)
            buttons.append(Button(f"Papers{in_words(filters)}", string))
        return Reply((notice, Actions(tuple(buttons))))
    typed = typed_by(context.actor, context.commands)("save 3")
    how = f"Save a paper by its number: {typed}"
    if context.actor.in_chat:
        how = f"Press Save at a paper, or pick it in the menu of a list; or type {typed}"
    notice = Notice(Level.INFO, "Nothing is on your list yet.", how)
    return Reply((notice, Actions((Button("Latest edition", "latest"),))))


async def _exported(
    context: Context, filters: Filters, tags: Sequence[str], form: ListFormat
) -> Reply:
    papers = await context.database.read(lists.list_all, context.actor.person, filters, tags)
    if not papers:
        return await _nothing(context, filters, tags)
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
    params=(
        Param("paper", "The paper, or several", PAPERS, required=True),
        Param("tag", "A tag of your own for it, or several", TAGS, key="tag", label="Tag"),
    ),
    examples=("save 3", "save 1-3 tag:to-read", "save 2501.12948"),
    changes=True,
)
UNSAVE = Command(
    name="unsave",
    group=Group.LIST,
    summary="Take a paper off your list",
    handler=unsave,
    params=(
        Param("paper", "The paper, or several", LISTED_PAPERS, required=True),
        Param("tag", "Only take this tag off; the paper stays", TAGS, key="tag", label="Tag"),
    ),
    examples=("unsave 3", "unsave attention", "unsave 3 tag:to-read"),
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
        Param("tag", "Only papers with this tag", OWN_TAGS, key="tag", label="Tag", loose=True),
        Param("format", "The whole list as a file for other programs", _FORMAT, key="as"),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("saved", "saved agents", "saved tag:to-read", "saved as:bibtex"),
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


_OWN = ("format", "tag", "page")  # arguments that are no filters of other lists


def _list_reply(  # noqa: PLR0913, PLR0917 - a page, and what it is a page of
    context: Context,
    page: SavedPage,
    wanted: str,
    pager: Pager | None,
    votes: Mapping[str, int],
    first: int,
) -> Reply:
    """Show a page of the list from its paper `first` on, with buttons that export the list."""
    notes = f" · {count(page.notes, 'note')}" if page.notes else ""
    tags = f" · {tags_in_words(page.tags)}" if page.tags else ""
    named = context.arguments.get("tag", "").split(",")
    if none := [each for each in named if each and each not in page.tags]:
        tags += f" · none tagged {', '.join(none)}"
    blocks: list[Block] = [
        Title(f"Your list: papers{wanted}" if wanted else "Your list"),
        Text(f"{count(page.total, 'paper')}, the last saved first{notes}{tags}"),
    ]
    if kept := tuple(_line(each, votes) for each in page.papers if each.mentions):
        blocks.append(PaperList(kept, first=first, menus=(_TAKE_OFF,)))
    # Papers that are in no edition any more can only be removed.
    gone = [each for each in page.papers if not each.mentions]
    for each in gone:
        tags = f" · {_tags_of(each)}" if each.tags else ""
        blocks.append(Text(f"{each.title} · {NOT_IN_AN_EDITION}{tags}"))
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
    return replace(
        place_line(mention, votes), line=line, reason=_tags_of(saved) if saved.tags else None
    )


def _tags_of(saved: SavedPaper) -> str:
    return f"tagged {', '.join(saved.tags)}"
