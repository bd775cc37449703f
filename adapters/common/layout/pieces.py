"""Pieces: what of a reply stays together when it is cut into parts. Pure.

An answer has a hundred of these, so they are what Python makes fastest: named tuples.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from adapters.common.layout.texts import addresses, cleaned, runs
from bot.replies.blocks import Button, File
from store.text import storable


class Shape(Enum):
    """What a piece is shown as."""

    HEADER = "header"
    NAME = "name"
    FAINT = "faint"
    WORDS = "words"
    BULLET = "bullet"
    VERBATIM = "verbatim"


class Look(Enum):
    """How words look; a `SIGN` is the level of a notice, `FAINT` words have a line of their own."""

    PLAIN = "plain"
    BOLD = "bold"
    FAINT = "faint"
    SIGN = "sign"


class Span(NamedTuple):
    """Words of one look; with a `url` they lead there.

    An instant has its seconds of Unix time in `at`, for who can show it in a reader's own zone.
    """

    text: str
    look: Look = Look.PLAIN
    url: str | None = None
    at: int | None = None


class Pick(NamedTuple):
    """An option of the menu that has these words; `own` is the group of one that no list shares."""

    menu: str
    label: str
    command: str
    own: int | None = None


class Piece(NamedTuple):
    """Words, a button, or both; a bare button stands in a row below the words of its group.

    Its `picks` are options of menus, which stand below what has them.

    A `joined` piece is one line of several with those of its group before it. One that `leads`
    is about what follows and goes to the next part with it. A button that `turns` shows another
    page in place of this one. A `file` stands in place of the words where it can be attached.
    """

    group: int
    shape: Shape = Shape.WORDS
    spans: tuple[Span, ...] = ()
    button: Button | None = None
    joined: bool = False
    leads: bool = False
    turns: bool = False
    file: File | None = None
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """How much of a text a platform takes, weighed as it does.

    `weight` says what words weigh there; a sign of them weighs `heaviest_sign` at most, and a
    span `span_weight` more than its words. `is_pressable` tells whether a command fits behind a
    button, `is_pickable` whether behind an option of a menu, `is_linkable` whether a link may lead
    to an address; others are shown as text.
    `links_words` where an address among words is to be made a link to itself. Text that is kept as
    it stands weighs at most `heaviest_kept` in a piece.
    """

    weight: Callable[[str], int]
    heaviest_sign: int
    span_weight: int
    heaviest_run: int
    heaviest_kept: int
    longest_header: int
    longest_label: int
    longest_option: int
    is_pressable: Callable[[str], bool]
    is_pickable: Callable[[str], bool]
    is_linkable: Callable[[str], bool]
    links_words: bool = False


def worded(  # noqa: PLR0913 - a piece's own fields, of which most have few
    measure: Measure,
    group: int,
    spans: Iterable[Span],
    shape: Shape = Shape.WORDS,
    *,
    button: Button | None = None,
    joined: bool = False,
    leads: bool = False,
    picks: tuple[Pick, ...] = (),
) -> list[Piece]:
    """Return words as a piece, or as several where they are too many for one; none if blank."""
    shown = tuple([span for span in spans if span.text])
    if measure.links_words and any("://" in span.text for span in shown):
        shown = tuple(each for span in shown for each in _linked(measure, span) if each.text)
    if not shown:
        return []
    if not _are_heavy(measure, shown):
        return [Piece(group, shape, shown, button, joined, leads, picks=picks)]
    first, *others = _batches(measure, (run for span in shown for run in _runs(measure, span)))
    rest = Shape.WORDS if shape is Shape.BULLET else shape  # one bullet is one highlight
    return [
        Piece(group, shape, first, button, joined, leads, picks=picks),
        *(Piece(group, rest, batch, None, joined, leads) for batch in others),
    ]


def pressed(
    measure: Measure, group: int, buttons: Iterable[Button], *, turns: bool = False
) -> list[Piece]:
    """Return buttons as pieces; a label or a command too long for one stands in text too."""
    return [piece for button in buttons for piece in _button(measure, group, button, turns=turns)]


def _button(measure: Measure, group: int, button: Button, *, turns: bool) -> list[Piece]:
    command = storable(button.command)
    label = cleaned(button.label) or cleaned(command) or "…"
    if not measure.is_pressable(command):
        words = label if label == cleaned(command) else f"{label}: {cleaned(command)}"
        return worded(measure, group, (Span(words),))
    turns = turns or button.turns
    shown = Button(label, command, button.form, aloud=cleaned(button.aloud))
    if len(label) <= measure.longest_label:
        return [Piece(group, button=shown, turns=turns)]
    cut = replace(shown, label=f"{label[: measure.longest_label - 1]}…")
    above = worded(measure, group, (Span(label),), leads=True)
    return [*above, Piece(group, button=cut, turns=turns)]


def _linked(measure: Measure, span: Span) -> Iterator[Span]:
    """Part a span into addresses, each a link that shows where it leads, and other words."""
    end = 0
    for start, stop in () if span.url else addresses(span.text):
        url = span.text[start:stop]
        if measure.is_linkable(url):
            yield span._replace(text=span.text[end:start])
            yield span._replace(text=url, url=url)
            end = stop
    yield span._replace(text=span.text[end:])


def _are_heavy(measure: Measure, spans: Sequence[Span]) -> bool:
    """Tell whether words are too many for one piece; most are so few that counting will do."""
    signs = sum([len(span.text) + len(span.url or "") for span in spans])
    most = measure.heaviest_sign * signs + measure.span_weight * len(spans)
    if most <= measure.heaviest_run:
        return False
    return sum([_heft(measure, span) for span in spans]) > measure.heaviest_run


def _heft(measure: Measure, span: Span) -> int:
    url = measure.weight(span.url) if span.url else 0
    return measure.weight(span.text) + url + measure.span_weight


def _runs(measure: Measure, span: Span) -> Iterator[Span]:
    """Cut a span into runs, of which the first leads where it led."""
    for place, run in enumerate(runs(span.text, measure.heaviest_run, measure.weight)):
        yield span._replace(text=run, url=None if place else span.url)


def _batches(measure: Measure, spans: Iterable[Span]) -> list[tuple[Span, ...]]:
    """Gather spans for as long as they fit together; a batch begins without a break."""
    batches: list[list[Span]] = [[]]
    room = measure.heaviest_run
    for span in spans:
        heft = _heft(measure, span)
        if heft > room:
            batches.append([])
            room = measure.heaviest_run
        begun = span if batches[-1] else span._replace(text=span.text.lstrip())
        if begun.text:
            batches[-1].append(begun)
            room -= heft
    return [tuple(batch) for batch in batches if batch]
