"""The facts of a reply, and their comparison with a shown message."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from bot.replies.blocks import (
    Actions,
    Block,
    Choices,
    Fields,
    File,
    Moments,
    Notice,
    Pager,
    PaperCard,
    PaperList,
    Quote,
    Reply,
    Table,
    Text,
    Title,
    Verbatim,
    WebPage,
)
from bot.replies.wording import count
from store.records import Link
from tests.any_replies import squeezed

# A link is the address that a listed title leads to.
Fact = str | datetime | File | Link

_UNSEEN = "\u200b"


@dataclass(frozen=True, slots=True)
class Way:
    """The words on a button, the command that it types, and whether its form opens instead.

    `None` is what is not to be seen, or what tells a button from others by its place alone.
    """

    label: str | None
    command: str | None
    form: bool | None = False


@dataclass(frozen=True, slots=True)
class Facts:
    """All that an answer says, in the order of reading, and the ways on from it.

    `picks` are what the menus of its papers offer, where there are menus. `asides` are what a
    platform may show besides: addresses, labels too long for a button.
    """

    words: tuple[Fact, ...]
    ways: tuple[Way, ...]
    asides: frozenset[str]
    picks: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """The shown texts and buttons of all parts of a reply; `own` are labels of the platform."""

    words: str
    ways: tuple[Way, ...]
    own: frozenset[str] = frozenset()
    parts: int = 1


def facts_of(reply: Reply) -> Facts:
    """Return what an answer says."""
    read_as = [reply.read_as] if reply.read_as else []
    words = [*read_as, *(said for block in reply.blocks for said in _words(block))]
    ways = tuple(dict.fromkeys(way for block in reply.blocks for way in _ways(block)))
    asides = {aside for block in reply.blocks for aside in _asides(block)}
    labels = {seen(way.label or "") for way in ways}
    told = (seen(said) if isinstance(said, str) else said for said in words)
    # A menu offers a paper of two lists once, by its first number.
    picks: dict[str | None, Way] = {}
    for pick in (way for block in reply.blocks for way in _picks(block)):
        picks.setdefault(pick.command, pick)
    said = tuple(said for said in told if said)
    return Facts(said, ways, frozenset(asides | labels), tuple(picks.values()))


def seen(text: str) -> str:
    """Return a text as it is compared: the signs of it that can be seen, however it is wrapped."""
    return squeezed(text).replace(_UNSEEN, "")


def is_called(label: str, wanted: str) -> bool:
    """Tell whether a label is the wanted one, told apart from others by more, or cut."""
    told_apart = label.startswith(f"{wanted} · ")
    return label == wanted or told_apart or (label.endswith("…") and wanted.startswith(label[:-1]))


def missing_words(facts: Iterable[str], words: str) -> tuple[list[str], list[str]]:
    """Return what is not said in its place, and what is said between the facts."""
    missing, between, at = [], [], 0
    for fact in facts:
        found = words.find(fact, at)
        if found < 0:
            missing.append(fact)
        else:
            between.append(words[at:found])
            at = found + len(fact)
    return missing, [*between, words[at:]]


def differing_ways(expected: Iterable[Way], shown: Iterable[Way]) -> tuple[list[Way], list[Way]]:
    """Return the ways that are missing, and those that nobody expected."""
    left, missing = list(dict.fromkeys(shown)), []
    for way in dict.fromkeys(expected):
        found = next((each for each in left if _leads(each, way)), None)
        if found is None:
            missing.append(way)
        else:
            left.remove(found)
    return missing, left


def _leads(shown: Way, wanted: Way) -> bool:
    named = shown.label is None or is_called(shown.label, wanted.label or "")
    return named and shown.command in (None, wanted.command) and shown.form in (None, wanted.form)


def _words(block: Block) -> Iterator[Fact]:  # noqa: C901, PLR0912 - one case for each kind
    match block:
        case File():
            yield block
        case Title(text) | Text(text):
            yield from text.split("\n\n")
        case Verbatim(text):
            yield text
        case Notice(_, text, remedy):
            yield from (text, remedy)
        case Fields(pairs):
            yield from (said for pair in pairs for said in pair)
        case Table(columns, rows):
            for row in rows:
                yield from row[:2]
                facts = zip(columns[2:], row[2:], strict=True)
                yield from (f"{heading}: {said}" for heading, said in facts if said)
        case Moments(pairs):
            yield from (said for pair in pairs for said in pair)
        case PaperList():
            yield from _listed(block)
        case Quote():
            yield from (block.text, block.title, block.where)
        case PaperCard():
            yield from _in_full(block)
        case Pager(position):
            yield position
        case WebPage(_, str(), label):
            yield label


def _listed(block: PaperList) -> Iterator[str | Link]:
    """Give papers in order, under their headings and with their places."""
    over = (None, *(paper.heading for paper in block.papers))
    for paper, (before, heading) in zip(block.papers, pairwise(over), strict=True):
        if heading != before:
            yield heading or ""
        number = paper.number if block.numbered else ""
        yield from (number, paper.title)
        if paper.url:
            yield Link("", paper.url)
        yield paper.line or ""
        yield paper.small_print
        yield count(paper.votes, "vote") if paper.votes else ""


def _in_full(card: PaperCard) -> Iterator[str]:
    yield from (card.number, card.title, card.where)
    yield from (card.summary or "").split("\n\n")
    for highlight in card.highlights:
        yield from (highlight.lead or "", highlight.text)
    for link in card.links:
        yield from (link.label, link.url)
    marks = ", ".join(mark.topic for mark in card.topics)
    yield f"Topics: {marks}" if marks else ""


def _ways(block: Block) -> Iterator[Way]:
    match block:
        case PaperList():
            for paper in block.papers:
                yield Way(f"Details {paper.number}", f"show {paper.ref}")
        case Actions():
            yield from (Way(each.label, each.command, each.form) for each in block.buttons)
        case Choices():
            yield from (Way(each.label, each.command, each.form) for each in block.options)
        case Pager():
            pages = (("Previous", block.previous), ("Next", block.next))
            yield from (Way(label, command) for label, command in pages if command)


def _picks(block: Block) -> Iterator[Way]:
    if isinstance(block, PaperList):
        for menu in block.menus:
            for paper in block.papers:
                number = f"{paper.number}{'. ' if paper.number.isdecimal() else ' · '}"
                title = f"{number if block.numbered else ''}{' '.join(paper.title.split())}"
                yield Way(title, f"{menu.command} {paper.ref}")


def _asides(block: Block) -> Iterator[str]:
    if isinstance(block, Choices):
        yield seen(block.label)
    if isinstance(block, WebPage):
        yield seen(block.url or "")
    if isinstance(block, PaperCard):
        yield block.url or ""
        yield from (link.url for link in block.links)
        yield seen(count(block.votes, "vote"))  # elsewhere its button says that
