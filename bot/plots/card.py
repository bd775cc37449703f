"""The drawing of a card as a PNG of 1200 by 630 pixels, which previews of a link show.

The size is that of OpenGraph's large pictures: https://developers.facebook.com/docs/sharing/webmasters/images
"""

from bisect import bisect_left
from io import BytesIO

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from bot.plots.plotter import Card
from bot.replies.wording import count, shorten

WIDTH, HEIGHT, DPI = 1200, 630, 100
_PAPER, _INK, _FAINT, _EDGE = "#fbfaf7", "#1d2127", "#59616b", "#cfcbc0"
_MARGIN = 64  # pixels
_NAME, _TITLE, _LINE, _PAPERS = 20, 33, 17, 20  # points
_FIRST, _STEP, _LAST = 338, 47, 54  # pixels from the lower edge
_NUMBER = 58  # pixels to a paper's title
_LONGEST = 200  # characters of a line, before it is measured; few have room


def card_png(card: Card) -> bytes:
    """Return the picture of a card: the same bytes for the same card and release of matplotlib."""
    picture = BytesIO()
    draw_card(card).savefig(picture, format="png", dpi=DPI, metadata={"Software": None})
    return picture.getvalue()


def draw_card(card: Card) -> Figure:
    """Return the figure of a card, with as many papers as it has room for."""
    mpl.rcdefaults()
    mpl.rcParams.update({"font.family": "DejaVu Serif", "text.parse_math": False})
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=_PAPER)
    FigureCanvasAgg(figure)
    _fitted(figure, "Broadsheet", _NAME, _INK, _MARGIN, 556, weight="bold")
    for height in (540, 534):
        ends = [_MARGIN / WIDTH, 1 - _MARGIN / WIDTH]
        figure.add_artist(Line2D(ends, [height / HEIGHT] * 2, color=_EDGE, linewidth=1.5))
    _fitted(figure, card.title, _TITLE, _INK, _MARGIN, 456, weight="bold")
    _fitted(figure, card.line, _LINE, _FAINT, _MARGIN, 412)
    room = (_FIRST - _LAST) // _STEP + 1
    papers = len(card.papers) + card.more
    shown = card.papers[: room if papers <= room else room - 1]
    for place, title in enumerate(shown):
        height = _FIRST - place * _STEP
        _fitted(figure, f"{place + 1}", _PAPERS, _FAINT, _MARGIN, height)
        _fitted(figure, title, _PAPERS, _INK, _MARGIN + _NUMBER, height)
    if len(shown) < papers:
        others = f"and {count(papers - len(shown), 'other')}"
        height = _FIRST - len(shown) * _STEP
        _fitted(figure, others, _LINE, _FAINT, _MARGIN + _NUMBER, height)
    return figure


def _fitted(  # noqa: PLR0913, PLR0917 - a text and where it stands
    figure: Figure,
    words: str,
    size: float,
    colour: str,
    left: float,
    low: float,
    weight: str = "normal",
) -> Text:
    """Write one line, cut at a word where it would reach over the right margin."""
    words = words[:_LONGEST]
    text = figure.text(left / WIDTH, low / HEIGHT, words, size=size, color=colour)
    text.set_fontweight(weight)

    def fits(cuts: int) -> bool:
        text.set_text(shorten(words, len(words) - 2 * cuts) if cuts else words)
        return bool(text.get_window_extent().x1 <= WIDTH - _MARGIN)

    # A few measurements find how often two letters have to go.
    fits(bisect_left(range((len(words) - 1) // 2), True, key=fits))  # noqa: FBT003 - what is looked for
    return text
