"""Pieces: what of a reply stays together when it is cut into parts. Pure.

An answer has a hundred of these, so they are what Python makes fastest: named tuples.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from json import dumps
from typing import NamedTuple

from adapters.slack.buttons import LONGEST_LABEL, Verb
from adapters.slack.render.limits import HEAVIEST_RUN, LONGEST_COMMAND_JSON
from adapters.slack.render.texts import cleaned, runs, weight
from bot.replies import Button
from store.folding import storable

_SPAN_HEFT = 35  # what an element takes around its words, weighed as `texts.weight` does
_MOST_JSON = 13  # of a sign: two surrogates, and the sign's share of the quotes
_HEAVIEST_SIGN = 6  # the same, weighed


class Shape(Enum):
    """What a piece is shown as."""

    HEADER = "header"
    FAINT = "faint"
    WORDS = "words"
    BULLET = "bullet"


class Look(Enum):
    """How words look; an `EMOJI` is a name."""

    PLAIN = "plain"
    BOLD = "bold"
    ITALIC = "italic"
    EMOJI = "emoji"


class Span(NamedTuple):
    """Words of one look; with a `url` they lead there."""

    text: str
    look: Look = Look.PLAIN
    url: str | None = None

    @property
    def plain(self) -> str:
        """The words for who can't see them, with where they lead."""
        if self.look is Look.EMOJI:
            return ""
        return f"{self.text}: {self.url}" if self.url and self.url != self.text else self.text


class Piece(NamedTuple):
    """Words, a button, or both; a button stands in the row below the pieces of its group.

    A `joined` piece shares a block with those of its group before it. One that `leads` is
    about what follows and goes to the next part with it.
    """

    group: int
    shape: Shape = Shape.WORDS
    spans: tuple[Span, ...] = ()
    button: Button | None = None
    joined: bool = False
    leads: bool = False
    verb: Verb = Verb.RUN


def worded(  # noqa: PLR0913 - a piece's own fields, of which most have few
    group: int,
    spans: Iterable[Span],
    shape: Shape = Shape.WORDS,
    *,
    button: Button | None = None,
    joined: bool = False,
    leads: bool = False,
) -> list[Piece]:
    """Return words as a piece, or as several where they are too many for one; none if blank."""
    shown = tuple([span for span in spans if span.text])
    if not shown:
        return []
    if not _are_heavy(shown):
        return [Piece(group, shape, shown, button, joined, leads)]
    first, *others = _batches(run for span in shown for run in _runs(span))
    rest = Shape.WORDS if shape is Shape.BULLET else shape  # one bullet is one highlight
    return [
        Piece(group, shape, first, button, joined, leads),
        *(Piece(group, rest, batch, None, joined, leads) for batch in others),
    ]


def pressed(group: int, buttons: Iterable[Button], verb: Verb = Verb.RUN) -> list[Piece]:
    """Return buttons as pieces; a label or a command too long for one stands in text too."""
    return [piece for button in buttons for piece in _button(group, button, verb)]


def _button(group: int, button: Button, verb: Verb) -> list[Piece]:
    command = storable(button.command)
    label = cleaned(button.label) or cleaned(command) or "…"
    if not is_pressable(command):
        words = label if label == cleaned(command) else f"{label}: {cleaned(command)}"
        return worded(group, (Span(words),))
    if len(label) <= LONGEST_LABEL:
        return [Piece(group, button=Button(label, command), verb=verb)]
    cut = Button(f"{label[: LONGEST_LABEL - 1]}…", command)
    return [*worded(group, (Span(label),), leads=True), Piece(group, button=cut, verb=verb)]


def is_pressable(command: str) -> bool:
    """Tell whether a command fits behind a button, beside other things in a message."""
    most = _MOST_JSON * len(command)
    return most <= LONGEST_COMMAND_JSON or len(dumps(command)) <= LONGEST_COMMAND_JSON


def _are_heavy(spans: Sequence[Span]) -> bool:
    """Tell whether words are too many for one piece; most are so few that counting will do."""
    signs = sum([len(span.text) + len(span.url or "") for span in spans])
    most = _HEAVIEST_SIGN * signs + _SPAN_HEFT * len(spans)
    return most > HEAVIEST_RUN and sum(map(_heft, spans)) > HEAVIEST_RUN


def _heft(span: Span) -> int:
    return weight(span.text) + (weight(span.url) if span.url else 0) + _SPAN_HEFT


def _runs(span: Span) -> Iterator[Span]:
    """Cut a span into runs, of which the first leads where it led."""
    for place, run in enumerate(runs(span.text, HEAVIEST_RUN)):
        yield span._replace(text=run, url=None if place else span.url)


def _batches(spans: Iterable[Span]) -> list[tuple[Span, ...]]:
    """Gather spans for as long as they fit together; a batch begins without a break."""
    batches: list[list[Span]] = []
    room = 0
    for span in spans:
        heft = _heft(span)
        if heft > room:
            batches.append([span._replace(text=span.text.lstrip())])
            room = HEAVIEST_RUN
        else:
            batches[-1].append(span)
        room -= heft
    return [tuple(batch) for batch in batches]
