"""The text of a message beside its blocks: all that they show, for who can't see them. Pure."""

from collections.abc import Iterable
from itertools import groupby

from adapters.common.layout.looks import Look, Shape
from adapters.common.layout.parts import ReplyPart
from adapters.common.layout.pieces import Piece, Span
from adapters.slack.render.charts import chart_words
from adapters.slack.render.escape import in_mrkdwn, link_target

_MARKS = {Shape.BULLET: "• ", Shape.QUOTE: "> "}


def fallback_text(part: ReplyPart, *, is_shared: bool) -> str:
    """Return the text of a part in mrkdwn."""
    words = [in_mrkdwn(part.line_above)] if part.line_above else []
    words += _lines(part.pieces)
    if not part.is_whole:
        words.append(part.frame.position(part.number, part.of))
    if is_shared:
        words.append(f"Shared: {in_mrkdwn(part.frame.command)}")
    return "\n".join(words)


def _lines(pieces: Iterable[Piece]) -> list[str]:
    """Return pieces as lines, buttons that stand in a row on one, as options behind their menu."""
    lines: list[str] = []
    for row, group in groupby(pieces, key=_row):
        words = map(_plain, group)
        lines += words if row is None else [f"{row}{' '.join(words)}"]
    return lines


def _row(piece: Piece) -> str | None:
    """Return what stands before a row of buttons or options, `None` before words."""
    if piece.spans or piece.file:
        return None
    return "" if piece.button else in_mrkdwn(f"{piece.picks[0].menu}: ")


def _plain(piece: Piece) -> str:
    """Return a piece safe in mrkdwn.

    A button or an option with words beside it says no more than they do.
    """
    if piece.file and piece.file.chart:
        return in_mrkdwn(chart_words(piece.file.chart))
    if not piece.spans:
        labels = [piece.button.label] if piece.button else [pick.label for pick in piece.picks]
        return in_mrkdwn(" ".join([f"[{label}]" for label in labels]))
    return _MARKS.get(piece.shape, "") + "".join([_said(span) for span in piece.spans]).lstrip()


def _said(span: Span) -> str:
    """Return words safe in mrkdwn, as a link where they lead somewhere."""
    if span.look is Look.SIGN:
        return ""
    words = in_mrkdwn(span.text)
    return words if span.url in (None, span.text) else f"<{link_target(span.url)}|{words}>"
