"""Seasons as the months that they are."""

import pytest

from bot.domain.dates.seasons import with_seasons


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("best of summer", "best of june to august"),
        ("top agents papers of the spring", "top agents papers in march to may"),
        ("highlights from autumn on rag", "highlights of september to november on rag"),
        ("what came out this fall", "what came out in september to november"),
        ("papers from last winter", "papers in december to february"),
        ("winter 2025", "from december 2024 to february 2025"),
        ("in the fall of 2024", "from september 2024 to november 2024"),
        ("anything since the summer", "anything since june"),
        ("anything since summer 2024", "anything since june 2024"),
        ("summarise the autumn so far", "recap of september to november so far"),
        ("spring recap", "recap of march to may"),
    ],
)
def test_a_season_is_its_months(said: str, meant: str) -> None:
    """It is one where a small word or what it is the best of stands before it, or a year behind."""
    assert with_seasons(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "winter road segmentation",
        "summer school on deep learning",
        "the fall of symbolic ai",
        "in fall detection",
        "this fall detection model",
        "ai winter",
        "over the winter break",
    ],
)
def test_a_subject_with_the_name_of_a_season_stays(said: str) -> None:
    """Words of a subject are no time."""
    assert with_seasons(said) == said
