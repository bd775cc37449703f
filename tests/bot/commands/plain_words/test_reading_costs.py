"""What it costs to read a line, counted: passes over its text, which a longer line does not add to.

Whoever adds a rule sees it here. Mend what grew, or give the reason for the new figure.
"""

import pytest

from bot.commands.plain_words.reader import read
from tests.adapters.common.work import counting
from tests.bot.commands.plain_words.test_readings import FACTS


def _passes(line: str) -> int:
    with counting() as counted:
        read(line, FACTS)
        counted.begin()
        read(line, FACTS)
        return counted.end().passes


@pytest.mark.parametrize(
    ("line", "most"),
    [
        ("sparse attention", 146),
        ("what did i miss in the last three weeks?", 209),
        ("papers on diffusion models by Kaiming He between 2024 and 2026", 635),
        ("message passing neural networks", 159),
        ("our lab's channel should get the list on thursdays at 3pm", 243),
        ("how do transformers handle time zones", 178),
    ],
)
def test_a_line_is_read_in_so_many_passes(line: str, most: int) -> None:
    """No rule makes a line cost more than it did without anybody seeing it."""
    assert _passes(line) <= most


def test_a_line_of_a_thousand_words_is_read_in_fewer_passes_than_a_short_one() -> None:
    """A description is searched for, and no rule reads it."""
    assert _passes("sparse attention " * 500) < _passes("sparse attention for long texts")
