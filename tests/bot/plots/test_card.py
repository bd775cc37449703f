"""The card of an edition: its words stand within the picture, and apart from each other."""

from itertools import combinations

import pytest

from bot.plots.drawing import CARD_HEIGHT as HEIGHT
from bot.plots.drawing import CARD_WIDTH as WIDTH
from bot.plots.drawing import draw_card
from bot.plots.plotter import Card

_LONG = "A title that is much too long for one line " * 4


@pytest.mark.parametrize("papers", [0, 1, 7, 8, 40])
def test_the_words_of_a_card_stand_within_it(papers: int) -> None:
    """However long its titles and however many; what is left out is counted."""
    figure = draw_card(Card(_LONG, _LONG, tuple(f"{n} {_LONG}" for n in range(papers))))
    boxes = [text.get_window_extent() for text in figure.texts]
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= WIDTH
        assert box.y1 <= HEIGHT
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
    others = [text.get_text() for text in figure.texts if text.get_text().startswith("and ")]
    assert others == ([] if papers <= 7 else [f"and {papers - 6} others"])
