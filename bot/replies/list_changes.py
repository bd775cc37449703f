"""The words and buttons of a change of the reader's list: each button restores what was. Pure."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from bot.replies.blocks import Button, Level, Notice, Undo
from bot.replies.wording import count, shorten
from store.readers.saved import SaveResult, UnsaveResult

_NEW, _OLD, _GONE = "On your list", "On your list already", "Off your list since"
_MOST_OFFERED = 3
_LONGEST_TITLE = 150  # of a paper in what undo says


class Titled(Protocol):
    """A paper by its ref and its title."""

    @property
    def ref(self) -> str:
        """The ref of one of its entries."""

    @property
    def title(self) -> str:
        """Its title."""


def state_of(saved: SaveResult, tags: Sequence[str]) -> str:
    """Word what became of a paper that was to be saved with some tags."""
    if not saved.is_listed:
        return _GONE
    if tags and saved.added and not saved.is_new:
        return f"Tagged {', '.join(tags)}"
    words = _NEW if saved.is_new else _OLD
    return f"{words}, tagged {', '.join(tags)}" if tags else words


def take_back(papers: Sequence[Titled], saving: Sequence[SaveResult]) -> tuple[Button, ...]:
    """Return what takes a save back: papers that are new go, others lose the tags they got."""
    new = [(each, ()) for each, saved in zip(papers, saving, strict=True) if saved.is_new]
    tagged = [
        (each, saved.added)
        for each, saved in zip(papers, saving, strict=True)
        if saved.added and not saved.is_new
    ]
    return _buttons("Take back", "unsave", [*new, *tagged])


def save_again(papers: Sequence[Titled], removals: Sequence[UnsaveResult]) -> tuple[Button, ...]:
    """Return what saves papers again that were taken off, each with the tags that it had."""
    gone = [(each, it.tags) for each, it in zip(papers, removals, strict=True) if it.was_listed]
    return _buttons("Save again", "save", gone)


def untagged(
    papers: Sequence[Titled], removals: Sequence[UnsaveResult], tags: Sequence[str]
) -> tuple[Notice, tuple[Button, ...]]:
    """Word that papers lost tags, or that none of them had any, with what restores them."""
    lost = [(each, it.tags) for each, it in zip(papers, removals, strict=True) if it.tags]
    names = ", ".join(tags)
    if not lost and len(papers) > 1:
        return Notice(Level.INFO, f"None of them is on your list and tagged {names}."), ()
    if len(papers) > 1:
        titles = "; ".join(each.title for each, _ in lost)
        words = f"No longer tagged {names}: {count(len(lost), 'paper')}."
        return Notice(Level.INFO, words, f"{titles}."), _buttons("Tag again", "save", lost)
    [paper], left = papers, removals[0].left
    words = f"{'No longer' if lost else 'Not'} tagged {names}: {paper.title}."
    more = f"Its tags: {', '.join(left)}." if left else "It has no tags."
    others = () if lost else (_off(paper.ref, each) for each in left[:_MOST_OFFERED])
    return Notice(Level.INFO, words, more), (*_buttons("Tag again", "save", lost), *others)


def undo_of(
    did: str, papers: Sequence[Titled], buttons: Sequence[Button], notes: Iterable[str] = ()
) -> Undo | None:
    """Return the way back from a change of papers: what buttons type, then what restores notes.

    `did` words the change, with a place for the papers: `took {} off your list`.
    """
    commands = (*(each.command for each in buttons), *notes)
    if not commands:
        return None
    one = shorten(papers[0].title, _LONGEST_TITLE) if len(papers) == 1 else None
    return Undo(did.format(one or count(len(papers), "paper")), commands)


def _off(ref: str, tag: str) -> Button:
    return Button(f"Take off {tag}", f"unsave {ref} tag:{tag}")


def _buttons(
    label: str, command: str, papers: Iterable[tuple[Titled, tuple[str, ...]]]
) -> tuple[Button, ...]:
    """Return a button for all papers that have the same tags."""
    by_tags: dict[tuple[str, ...], list[str]] = {}
    for paper, tags in papers:
        by_tags.setdefault(tags, []).append(paper.ref)
    found = []
    for tags, refs in by_tags.items():
        telling = f": {', '.join(tags)}" if tags and len(by_tags) > 1 else ""
        named = f" tag:{','.join(tags)}" if tags else ""
        found.append(Button(f"{label}{telling}", f"{command} {','.join(refs)}{named}"))
    return tuple(found)
