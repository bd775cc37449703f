"""Authors in bibliographies: people by their last names, groups as they are called."""

import pytest

from bot.export.authors import last_name_first


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Ada North", "North, Ada"),
        ("Ada B. North", "North, Ada B."),
        ("Ben van der East", "van der East, Ben"),
        ("Cy South Jr.", "South, Cy, Jr."),
        ("Di West III", "West, Di, III"),
        ("Édgar Ñandú-Ø", "Ñandú-Ø, Édgar"),
        ("van East", "East, van"),
        ("Cher", "Cher"),
        ("Kite Team", "Kite Team"),
        ("The Kite Collaboration", "The Kite Collaboration"),
        ("Kite Lab, Wind & Weather", "Kite Lab, Wind & Weather"),
        ("", ""),
    ],
)
def test_the_last_name_comes_first(name: str, listed: str) -> None:
    """With what it begins with, and what follows it; a single word is all there is."""
    assert last_name_first(name) == listed
