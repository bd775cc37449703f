"""The pieces that one message holds together, by the limits of its platform.

Pure but for the part being counted.
"""

from collections.abc import Iterable

from adapters.common.layout.elements import is_beside, joins
from adapters.common.layout.limits import NOTHING, Cost, Limits
from adapters.common.layout.looks import Shape
from adapters.common.layout.menus import Offered
from adapters.common.layout.pieces import Pick, Piece


def pack(pieces: Iterable[Piece], limits: Limits, room: Cost) -> list[list[Piece]]:
    """Return pieces in parts that fit into the room, filled in order; at least one part.

    A piece that leads goes to the next part with what follows it.
    """
    parts: list[list[Piece]] = [[]]
    tally = _Tally(limits, room)
    for piece in pieces:
        if not tally.add(piece):
            parts.append(_led_over(parts[-1]))
            tally = _Tally(limits, room)
            if not all(map(tally.add, (*parts[-1], piece))):
                # It and what leads over to it are too much together.
                parts.append([])
                tally = _Tally(limits, room)
                tally.add(piece)
        parts[-1].append(piece)
    return parts


def _led_over(part: list[Piece]) -> list[Piece]:
    """Take off the last pieces of a part that lead over to the next, but never all of them."""
    stay = len(part)
    while stay and part[stay - 1].leads:
        stay -= 1
    if not stay:
        return []
    led = part[stay:]
    del part[stay:]
    return led


class _Tally:
    """The room that a part takes while it is filled."""

    def __init__(self, limits: Limits, room: Cost) -> None:
        self._limits = limits
        self._room = room
        self._taken = NOTHING
        self._beside = self._in_group = 0
        self._before: Piece | None = None
        self._offered = Offered(limits.most_options)

    def add(self, piece: Piece) -> bool:
        """Count a piece in if it fits too, as the first one always does; tell whether it did."""
        before, limits = self._before, self._limits
        beside = self._beside + is_beside(piece, limits)
        in_group = self._in_group if before and before.group == piece.group else 0
        taken = self._taken
        if piece.spans:
            taken = taken.plus(_words(piece, limits, is_joined=_joins(before, piece, limits)))
        if piece.button:
            taken = taken.plus(_button(piece, limits))
            if beside == self._beside and in_group % limits.most_in_row == 0:
                taken = taken.plus(limits.costs.row)
        if piece.file:
            taken = taken.plus(limits.costs.file)
        picks = self._offered.fresh(piece) if piece.picks else []
        if picks:
            menus = self._offered.begun(picks)
            taken = taken.plus(_menus(piece, picks, menus, limits))
        # Where none can stand beside a text they stand in rows.
        rows_beside = Cost(rows=-(-beside // limits.most_in_row))
        needed = taken.plus(rows_beside) if beside else taken
        if before and not needed.fits(self._room):
            return False
        self._taken, self._before, self._beside = taken, piece, beside
        self._in_group = in_group + bool(piece.button)
        self._offered.take(picks)
        return True


def _joins(before: Piece | None, piece: Piece, limits: Limits) -> bool:
    return before is not None and joins(before, piece, limits)


def _words(piece: Piece, limits: Limits, *, is_joined: bool) -> Cost:
    """Return what words take; of all that an answer has these are counted most often."""
    costs = limits.costs
    base = (costs.joined if is_joined else costs.words)[piece.shape]
    payload, text = base.payload, base.text
    words = limits.verbatim if piece.shape is Shape.VERBATIM else limits.text
    for span in piece.spans:
        marks = costs.instant if span.at is not None else costs.span[span.look]
        payload += limits.payload.of(span.text) + marks.payload
        text += words.of(span.text) + marks.text
        if span.url:
            payload += limits.payload.of(span.url) + costs.link.payload
            text += limits.url.of(span.url) + costs.link.text
    return Cost(base.elements, payload, text, base.rows)


def _button(piece: Piece, limits: Limits) -> Cost:
    button, costs = piece.button, limits.costs
    if button is None:
        return NOTHING
    taken = costs.words_with_button if is_beside(piece, limits) else costs.button
    payload = limits.payload.of(button.label) + limits.payload.of(button.command)
    text = 0
    if limits.names_buttons and not piece.spans:
        text = limits.text.of(f"[{button.label}] ")
    if button.aloud:
        payload += limits.payload.of(button.aloud) + costs.spoken.payload
    return taken.plus(Cost(payload=payload, text=text))


def _menus(piece: Piece, picks: Iterable[Pick], begun: Iterable[str], limits: Limits) -> Cost:
    """Return what fresh options take, and the menus that they begin."""
    costs, named = limits.costs, limits.names_buttons and not piece.spans
    payload = text = 0
    for pick in picks:
        payload += limits.payload.of(pick.label) + limits.payload.of(pick.command)
        payload += costs.option.payload
        text += limits.text.of(f"[{pick.label}] ") if named else 0
    menus = 0
    for name in begun:
        menus += 1
        payload += limits.payload.of(name)
        text += limits.text.of(f"{name}: ") if limits.names_buttons else 0
    return costs.menu.times(menus).plus(Cost(payload=payload, text=text))
