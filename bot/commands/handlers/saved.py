"""The commands save, unsave and note: changes of the reader's list."""

from collections.abc import Sequence
from dataclasses import replace

from bot.actor import Actor
from bot.commands.params.papers import (
    LISTED_OR_ANY,
    LISTED_PAPERS,
    PAPERS,
    NamedPaper,
    nearest,
    saved_papers,
)
from bot.commands.params.scalars import NOTE, YES
from bot.commands.params.tags import TAGS
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Form, Group, Param
from bot.errors import UserError
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Reply,
    Undo,
)
from bot.replies.list_changes import save_again, state_of, take_back, undo_of, untagged
from bot.replies.wording import count
from store.readers import saved as lists
from store.readers.saved import (
    Listing,
    NoteResult,
    SavedPaper,
    SaveResult,
    TooManyTags,
    UnsaveResult,
)
from store.records import Mention


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
    buttons = Actions((*take_back(wanted, saving), YOUR_LIST))
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
            return Reply((notice, Actions((*buttons, YOUR_LIST))), private=True, undo=undo)
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
    return _answer(f"Not on your list: {title}.", more, ref, *map(take_off, others), save_it)


def _several_removed_reply(papers: Sequence[NamedPaper], removals: Sequence[UnsaveResult]) -> Reply:
    gone = [paper for paper, removed in zip(papers, removals, strict=True) if removed.was_listed]
    if not gone:
        return Reply((Notice(Level.INFO, "None of them is on your list."), Actions((YOUR_LIST,))))
    titles = "; ".join(each.title for each in gone)
    notice = Notice(Level.INFO, f"Off your list: {count(len(gone), 'paper')}.", f"{titles}.")
    buttons = Actions((*save_again(papers, removals), YOUR_LIST))
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
    form=Form("Your note", "Keep", _form_values, lambda _actor, _arguments: ("text",)),
    examples=("note 3 compare with our baseline", 'note paper:"sparse attention" read by Monday'),
    changes=True,
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


YOUR_LIST = Button("Your list", "saved")


def _write(ref: str) -> Button:
    return Button("Write a note", f"note {ref}", form=True)


def _remove(ref: str) -> Button:
    return Button("Remove note", f"note {ref} remove:yes")


def take_off(paper: SavedPaper) -> Button:
    """Return the button that takes a paper off the list."""
    return Button(f"Take off: {paper.title}", f"unsave {paper.ref}")


def _answer(words: str, more: str, ref: str, *buttons: Button) -> Reply:
    """Report a change; sharing it shares the paper and nothing private."""
    notice = Notice(Level.INFO, words, more)
    return Reply((notice, Actions((*buttons, YOUR_LIST))), command=f"show {ref}")
