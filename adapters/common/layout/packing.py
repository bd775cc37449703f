"""The pieces that one message holds together, by the limits of its platform.

Pure but for the part being counted.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from adapters.common.layout.elements import Offered, is_beside, joins
from adapters.common.layout.limits import NOTHING, Cost, Limits, Shape, total
from adapters.common.layout.pieces import MenuOption, MenuPick, Piece, Span, TableRow


class Sized(NamedTuple):
    """A piece, and what its words and its button take wherever they stand."""

    piece: Piece
    cost: Cost


def with_options(item: Sized, is_kept: Callable[[str], bool]) -> Sized:
    """Return a piece of a list with those of its options alone whose commands are kept."""
    piece = item.piece
    if not (piece.options or piece.picks):
        return item
    options = tuple([each for each in piece.options if is_kept(each.command)])
    picks = tuple([each for each in piece.picks if each.own is not None or is_kept(each.command)])
    dropped = _payload(piece.options) - _payload(options)
    cost = item.cost._replace(payload=item.cost.payload - dropped)
    return Sized(piece._replace(options=options, picks=picks), cost)


def fit(items: Iterable[Sized], limits: Limits, room: Cost) -> bool:
    """Tell whether pieces fit into the room together."""
    return all(map(_Tally(limits, room).add, items))


def pack(pieces: Iterable[Sized], limits: Limits, room: Cost) -> list[list[Piece]]:
    """Return pieces in parts that fit into the room, filled in order; at least one part.

    A piece that leads goes to the next part with what follows it, and so does a card that is kept
    with its buttons. Of a card that is longer than a part the end stays with them.
    """
    parts: list[list[Sized]] = [[]]
    tally = _Tally(limits, room)
    waiting = list(pieces)
    for place, piece in enumerate(waiting):
        if not tally.add(piece):
            led = _led_over(parts[-1], _kept_together(waiting, place), limits, room)
            if led:
                del parts[-1][-len(led) :]
            parts.append(led)
            tally = _Tally(limits, room)
            if not all(map(tally.add, (*parts[-1], piece))):
                # It and what leads over to it are too much together.
                parts.append([])
                tally = _Tally(limits, room)
                tally.add(piece)
        parts[-1].append(piece)
    return [[each.piece for each in part] for part in parts]


def _led_over(part: list[Sized], following: list[Sized], limits: Limits, room: Cost) -> list[Sized]:
    """Return the last pieces of a part that go to the next, but never all.

    `following` are the next piece and those that are kept with it.
    """
    if not part[-1].piece.kept:
        return _last(part, lambda piece: piece.leads)
    whole = _last(part, lambda piece: piece.kept or piece.leads)
    if whole and fit((*whole, *following), limits, room):
        return whole
    if not _is_bare(following[0].piece):
        return _last(part, lambda piece: piece.leads)
    # The card alone is longer than a part.
    buttons = _last(part, _is_bare)
    ending = part[-len(buttons) - 1 :]
    return ending if fit((*ending, *following), limits, room) and len(ending) < len(part) else []


def _kept_together(waiting: list[Sized], place: int) -> list[Sized]:
    end = place
    while end + 1 < len(waiting) and waiting[end].piece.kept:
        end += 1
    return waiting[place : end + 1]


def _last(part: list[Sized], is_led: Callable[[Piece], bool]) -> list[Sized]:
    """Return the pieces at the end of a part that are led; none if all are."""
    stay = len(part)
    while stay and is_led(part[stay - 1].piece):
        stay -= 1
    return part[stay:] if stay else []


def _is_bare(piece: Piece) -> bool:
    return bool((piece.button or piece.picks) and not piece.spans)


class _Tally:
    """The room that a part takes while it is filled."""

    def __init__(self, limits: Limits, room: Cost) -> None:
        self._limits = limits
        self._room = room
        self._taken = NOTHING
        self._beside = self._in_group = 0
        self._before: Piece | None = None
        self._offered = Offered(limits.most_options)

    def add(self, item: Sized) -> bool:
        """Count a piece in if it fits too, as the first one always does; tell whether it did."""
        piece, before, limits, costs = item.piece, self._before, self._limits, self._limits.costs
        beside = is_beside(piece, limits)
        in_group = self._in_group if before and before.group == piece.group else 0
        added = [self._taken, item.cost]
        if piece.row:
            begins = before is None or before.row is None
            added.append(_headings(piece.row, limits) if begins else NOTHING)
        elif piece.spans:
            joined = before is not None and joins(before, piece, limits)
            added.append((costs.joined if joined else costs.words)[piece.shape])
        if piece.button:
            added.append(costs.words_with_button if beside else costs.button)
            if not beside and in_group % limits.most_in_row == 0:
                added.append(costs.row)
        if piece.options:
            added.append(costs.words_with_menu)
        if piece.file:
            added.append(costs.file)
        picks = self._offered.fresh(piece) if piece.picks else []
        if picks:
            added.append(_menus(piece, picks, self._offered.begun(picks), limits))
        taken = total(*added)
        all_beside = self._beside + beside
        # Where none can stand beside a text they stand in rows.
        rows = -(-all_beside // limits.most_in_row)
        if before and not (taken.fits(self._room) and taken.rows + rows <= self._room.rows):
            return False
        self._taken, self._before, self._beside = taken, piece, all_beside
        self._in_group = in_group + bool(piece.button)
        self._offered.take(picks)
        return True


def sized(piece: Piece, limits: Limits) -> Sized:
    """Return a piece with its size, which is counted once however often it is packed."""
    costs, has_payload = limits.costs, limits.message.payload > 0
    payload, text = _words(piece, limits, has_payload=has_payload)
    if row := piece.row:
        text = 1 + max(text, sum([limits.text.of(cell.text) for cell in row.cells]))
        payload = _cells(row.cells, limits)
    if button := piece.button:
        if limits.names_buttons and not piece.spans:
            text += limits.text.of(f"[{button.label}] ")
        if has_payload:
            payload += limits.payload.of(button.label) + limits.payload.of(button.command)
            if button.aloud:
                payload += limits.payload.of(button.aloud) + costs.spoken.payload
    return Sized(piece, Cost(payload=payload + _payload(piece.options), text=text))


def _payload(options: Iterable[MenuOption]) -> int:
    return sum([each.payload for each in options])


def _words(piece: Piece, limits: Limits, *, has_payload: bool) -> tuple[int, int]:
    """Return the payload and the text of the words of a piece."""
    costs, payload, text = limits.costs, 0, 0
    words = limits.verbatim if piece.shape is Shape.VERBATIM else limits.text
    for span in piece.spans:
        marks = costs.instant if span.at is not None else costs.span[span.look]
        text += words.of(span.text) + marks.text
        if span.url:
            text += limits.url.of(span.url) + costs.link.text
        if has_payload:
            payload += limits.payload.of(span.text) + marks.payload
            if span.url:
                payload += limits.payload.of(span.url) + costs.link.payload
    return payload, text


def _headings(row: TableRow, limits: Limits) -> Cost:
    payload = _cells([Span(each) for each in row.columns], limits)
    return limits.costs.table.plus(Cost(payload=payload))


def _cells(cells: Iterable[Span], limits: Limits) -> int:
    """Return the payload of the cells of a row."""
    payload = 0
    for cell in cells:
        payload += limits.costs.cell.payload + limits.payload.of(cell.text)
        if cell.url:
            payload += limits.costs.link.payload + limits.payload.of(cell.url)
    return payload


def _menus(piece: Piece, picks: Iterable[MenuPick], begun: Iterable[str], limits: Limits) -> Cost:
    """Return what fresh options take, and the menus that they begin."""
    costs, named = limits.costs, limits.names_buttons and not piece.spans
    payload = text = 0
    for pick in picks if limits.message.payload or named else ():
        payload += limits.payload.of(pick.label) + limits.payload.of(pick.command)
        payload += costs.option.payload
        text += limits.text.of(f"[{pick.label}] ") if named else 0
    menus = 0
    for name in begun:
        menus += 1
        payload += limits.payload.of(name)
        text += limits.text.of(f"{name}: ") if limits.names_buttons else 0
    return total(*[costs.menu] * menus, Cost(payload=payload, text=text))
