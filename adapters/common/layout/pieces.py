"""Pieces: what of a reply stays together when it is cut into parts. Pure.

An answer has a hundred of these, so they are what Python makes fastest: named tuples.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from adapters.common.layout.limits import Limits, Look, Shape
from adapters.common.layout.texts import addresses, cleaned, runs
from bot.replies.blocks import Button, File
from store.text import storable


class Span(NamedTuple):
    """Words of one look; with a `url` they lead there.

    An instant has its seconds of Unix time in `at`, for a platform that shows it in a reader's own
    zone. A mention has the platform's id of the `user`, in place of words.
    """

    text: str
    look: Look = Look.PLAIN
    url: str | None = None
    at: int | None = None
    user: str = ""


class MenuPick(NamedTuple):
    """An option of the menu that has these words; `own` is the group of one that no list shares."""

    menu: str
    label: str
    command: str
    own: int | None = None


class MenuOption(NamedTuple):
    """An option of a menu that stands beside words, and what it takes of the payload."""

    label: str
    command: str
    payload: int


class TableRow(NamedTuple):
    """A row of a table, and the headings of its columns."""

    columns: tuple[str, ...]
    cells: tuple[Span, ...]


class Piece(NamedTuple):
    """Words, a button, or both; a bare button stands in a row below the words of its group.

    Its `picks` are options of menus, which stand below what has them, its `options` those of a menu
    beside its words.

    A `joined` piece is one line of several with those of its group before it. One that `leads`
    is about what follows and goes to the next part with it; one that is `kept` does so too unless
    all that is kept together is too much for a part. A button that `turns` shows another
    page in place of this one. A `file` stands in place of the words where it can be attached, and
    a `row` of a table where it is seen; who can't see it has the words.
    """

    group: int
    shape: Shape = Shape.WORDS
    spans: tuple[Span, ...] = ()
    button: Button | None = None
    joined: bool = False
    leads: bool = False
    kept: bool = False
    turns: bool = False
    file: File | None = None
    picks: tuple[MenuPick, ...] = ()
    options: tuple[MenuOption, ...] = ()
    row: TableRow | None = None


def worded(  # noqa: PLR0913 - a piece's own fields, of which most have few
    limits: Limits,
    group: int,
    spans: Iterable[Span],
    shape: Shape = Shape.WORDS,
    *,
    button: Button | None = None,
    joined: bool = False,
    leads: bool = False,
    picks: tuple[MenuPick, ...] = (),
    options: tuple[MenuOption, ...] = (),
) -> list[Piece]:
    """Return words as a piece, or as several where they are too many for one; none if blank."""
    shown = tuple([span for span in spans if span.text])
    if limits.links_addresses and any("://" in span.text for span in shown):
        shown = tuple(each for span in shown for each in _linked(limits, span) if each.text)
    if not shown:
        return []
    if not _are_too_long(limits, shown):
        return [Piece(group, shape, shown, button, joined, leads, picks=picks, options=options)]
    first, *others = _batches(limits, (run for span in shown for run in _runs(limits, span)))
    rest = Shape.WORDS if shape is Shape.BULLET else shape  # one bullet is one highlight
    return [
        Piece(group, shape, first, button, joined, leads, picks=picks, options=options),
        *(Piece(group, rest, batch, None, joined, leads) for batch in others),
    ]


def pressed(
    limits: Limits, group: int, buttons: Iterable[Button], *, turns: bool = False
) -> list[Piece]:
    """Return buttons as pieces; a label or a command too long for one stands in text too."""
    return [piece for button in buttons for piece in _button(limits, group, button, turns=turns)]


def _button(limits: Limits, group: int, button: Button, *, turns: bool) -> list[Piece]:
    command = storable(button.command)
    label = cleaned(button.label) or cleaned(command) or "…"
    if not limits.is_pressable(command):
        words = label if label == cleaned(command) else f"{label}: {cleaned(command)}"
        return worded(limits, group, (Span(words),))
    turns = turns or button.turns
    aloud = cleaned(button.aloud)
    shown = replace(button, label=label, command=command, turns=False, aloud=aloud)
    if len(label) <= limits.longest_label:
        return [Piece(group, button=shown, turns=turns)]
    cut = replace(shown, label=f"{label[: limits.longest_label - 1]}…")
    above = worded(limits, group, (Span(label),), leads=True)
    return [*above, Piece(group, button=cut, turns=turns)]


def _linked(limits: Limits, span: Span) -> Iterator[Span]:
    """Part a span into addresses, each a link that shows where it leads, and other words."""
    end = 0
    for start, stop in () if span.url else addresses(span.text):
        url = span.text[start:stop]
        if limits.is_linkable(url):
            yield span._replace(text=span.text[end:start])
            yield span._replace(text=url, url=url)
            end = stop
    yield span._replace(text=span.text[end:])


def _are_too_long(limits: Limits, spans: Sequence[Span]) -> bool:
    """Tell whether words are too long for one piece; most are so few that counting will do."""
    texts = [text for span in spans for text in (span.text, span.url or "")]
    units = sum([len(text) if text.isascii() else 2 * len(text) for text in texts])
    most = limits.longest_character * units + limits.longest_marks * len(spans)
    if most <= limits.longest_run:
        return False
    return sum([_weight(limits, span) for span in spans]) > limits.longest_run


def _weight(limits: Limits, span: Span) -> int:
    url = limits.weight(span.url) if span.url else 0
    return limits.weight(span.text) + url + limits.longest_marks


def _runs(limits: Limits, span: Span) -> Iterator[Span]:
    """Cut a span into runs, of which the first leads where it led."""
    for place, run in enumerate(runs(span.text, limits.longest_run, limits.weight)):
        yield span._replace(text=run, url=None if place else span.url)


def _batches(limits: Limits, spans: Iterable[Span]) -> list[tuple[Span, ...]]:
    """Gather spans for as long as they fit together; a batch begins without a break."""
    batches: list[list[Span]] = [[]]
    room = limits.longest_run
    for span in spans:
        weight = _weight(limits, span)
        if weight > room:
            batches.append([])
            room = limits.longest_run
        begun = span if batches[-1] else span._replace(text=span.text.lstrip())
        if begun.text:
            batches[-1].append(begun)
            room -= weight
    return [tuple(batch) for batch in batches if batch]
