"""A reader's list as Replies: a change to it, or a page of it."""

from collections.abc import Iterator, Mapping, Sequence

from bot.actor import Actor
from bot.commands.params.papers import NamedPaper
from bot.commands.types import Command
from bot.commands.views.welcome import typed_by
from bot.export.saved_list import NOT_IN_AN_EDITION
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
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
from bot.replies.wording import count, marked_title, number, one_line, place
from store.readers.saved import Listing, NoteResult, SavedPage, SavedPaper, SaveResult, UnsaveResult

_LIST = Button("Your list", "saved")
_LATEST = Button("Latest edition", "latest")
_TAKE_OFF = Menu("Take a paper off", "unsave")


def saved_reply(paper: Listing, saving: SaveResult) -> Reply:
    """Say that a paper is on the list, now or already."""
    if not saving.is_listed:
        words = f"Off your list since: {paper.title}."
        return _answer(words, "", (_save_again(paper.ref),), paper.ref)
    words = "On your list" if saving.is_new else "On your list already"
    take_back = Button("Take back", f"unsave {paper.ref}")
    return _answer(f"{words}: {paper.title}.", "", (take_back, _write(paper.ref)), paper.ref)


def removed_reply(paper: NamedPaper, removal: UnsaveResult) -> Reply:
    """Say that a paper is off the list, and what the note on it was."""
    note = f"Your note on it was: {removal.note}" if removal.note else ""
    return _answer(f"Off your list: {paper.title}.", note, (_save_again(paper.ref),), paper.ref)


def not_listed_reply(paper: NamedPaper, others: Sequence[SavedPaper]) -> Reply:
    """Say that a paper is not on the list, and offer those that may have been meant."""
    more = _meant(others) if others else "Your list is empty."
    save = Button("Save", f"save {paper.ref}")
    words = f"Not on your list: {paper.title}."
    return _answer(words, more, (*map(_take_off, others), save), paper.ref)


def noted_reply(paper: NamedPaper, noting: NoteResult) -> Reply:
    """Show the note on a paper, and the one before."""
    was = f"It was: {noting.before}" if noting.before else ""
    if noting.after is None:
        words = f"No note on {paper.title} any more." if was else f"No note was on {paper.title}."
        return _answer(words, was, (_write(paper.ref),), paper.ref)
    where = "Noted on" if noting.was_listed else "Saved with your note."
    words = f"{where} {paper.title}: {noting.after}"
    return _answer(words, was, (_remove(paper.ref),), paper.ref)


def note_reply(paper: NamedPaper, note: str | None, actor: Actor, command: Command) -> Reply:
    """Show the note on a paper, and how `command` writes one."""
    # Without forms the button would lead here again.
    ways = (_write(paper.ref),) if actor.in_chat else ()
    how = "" if ways else f"To write one: {command.name} {paper.ref} your words"
    if note is None:
        words = f"You have no note on {paper.title}."
        how = how or f"Usage: {command.usage_for(actor)}"
        return _answer(words, how, ways, paper.ref)
    words = f"Your note on {paper.title}: {note}"
    how = how.replace("write one", "write another")
    return _answer(words, how, (*ways, _remove(paper.ref)), paper.ref)


def _meant(papers: Sequence[SavedPaper]) -> str:
    return "Did you mean one of these?" if len(papers) > 1 else "Did you mean this one?"


def _save_again(ref: str) -> Button:
    return Button("Save again", f"save {ref}")


def _write(ref: str) -> Button:
    return Button("Write a note", f"note {ref}", form=True)


def _remove(ref: str) -> Button:
    return Button("Remove note", f"note {ref} remove:yes")


def _take_off(paper: SavedPaper) -> Button:
    return Button(f"Take off: {paper.title}", f"unsave {paper.ref}")


def _answer(words: str, more: str, buttons: tuple[Button, ...], ref: str) -> Reply:
    """Report a change; sharing it shares the paper and nothing private."""
    notice = Notice(Level.INFO, words, more)
    return Reply((notice, Actions((*buttons, _LIST))), command=f"show {ref}")


def list_reply(
    page: SavedPage,
    topic: str | None,
    pager: Pager | None,
    formats: tuple[Button, ...],
    votes: Mapping[str, int],
) -> Reply:
    """Show a page of the list, the last saved first; `formats` are buttons that export it."""
    kept = tuple(_line(each, votes) for each in page.papers if each.mentions)
    blocks: list[Block] = [Title(_title(topic)), Text(_counts(page))]
    if kept:
        blocks.append(PaperList(kept, numbered=False, menus=(_TAKE_OFF,)))
    blocks += _gone(page.papers)
    if pager:
        blocks.append(pager)
    return Reply((*blocks, Actions(formats)))


def empty_reply(actor: Actor, commands: Sequence[Command]) -> Reply:
    """Say that the list is empty, and how to save a paper."""
    typed = typed_by(actor, commands)("save 3")
    press = "Press Save at a paper, or pick it under “Save a paper” below a list"
    how = f"{press}; or type {typed}" if actor.in_chat else f"Save a paper by its number: {typed}"
    notice = Notice(Level.INFO, "Nothing is on your list yet.", how)
    return Reply((notice, Actions((_LATEST,))))


def nothing_on_reply(topic: str) -> Reply:
    """Say that the list has nothing on a topic."""
    notice = Notice(Level.INFO, f"Nothing on {topic} is on your list.")
    others = Button(f"Papers on {topic}", f"topic {topic}")
    return Reply((notice, Actions((_LIST, others))))


def export_reply(words: str, text: str) -> Reply:
    """Give the list as text to copy."""
    return Reply((Text(words), Verbatim(text)))


def file_reply(words: str, file: File) -> Reply:
    """Give the list as a file."""
    return Reply((Text(words), file))


def _title(topic: str | None) -> str:
    return f"Your list: {topic}" if topic else "Your list"


def _counts(page: SavedPage) -> str:
    notes = f" · {count(page.notes, 'note')}" if page.notes else ""
    return f"{count(page.total, 'paper')}, the last saved first{notes}"


def _line(saved: SavedPaper, votes: Mapping[str, int]) -> PaperLine:
    edition, entry = saved.mentions[0].edition, saved.mentions[0].entry
    line = _note(saved.note) if saved.note else one_line(entry.summary)
    return PaperLine(
        number(entry),
        marked_title(entry),
        line,
        entry.ref,
        place(edition, entry),
        votes.get(entry.ref, 0),
    )


def _note(note: str) -> str:
    return f"Your note: {note}"


def _gone(papers: Sequence[SavedPaper]) -> Iterator[Block]:
    """List the papers that are in no edition any more, which can only be removed."""
    gone = [each for each in papers if not each.mentions]
    for each in gone:
        yield Text(f"{each.title} · {NOT_IN_AN_EDITION}")
        if each.note:
            yield Text(_note(each.note))
    if gone:
        yield Actions(tuple(map(_take_off, gone)))
