"""Words with a slip of the finger, and words that are two."""

from importlib.resources import files

import pytest

from store.search.spelling import american, is_english, may_be_mistyped, nearest, similar, splits
from store.text import fold

_KNOWN = {
    "attention": 90, "retrieval": 40, "retrieved": 4, "transformer": 60, "play": 8, "clay": 2,
    "plan": 9, "token": 70, "taken": 30, "chain": 12, "optimization": 20, "benchmark": 50,
    "gone": 0, "minecraft": 1, "mamba": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("atention", "attention"),  # one letter missing
        ("attenttion", "attention"),  # one too many
        ("attemtion", "attention"),  # a wrong one
        ("retreival", "retrieval"),  # two changed places
        ("optimizaton", "optimization"),
        ("optmizaton", "optimization"),  # two slips in a long word
        ("atemtion", "attention"),
        ("chian", "chain"),
        ("paly", "play"),
        ("plya", "play"),
        ("bencmark", "benchmark"),
        ("xttention", None),  # the first letter is right
        ("tikens", None),  # two slips in a short word
        ("bnchmrk", None),
        ("tiken", None),  # a wrong letter in a short word might make any other
        ("pla", None),  # too short for anything
        ("goone", None),  # no entry holds it any more
        ("minecaft", "minecraft"),  # one slip in a long word is hardly chance
        ("minecfta", None),  # two are, where the word stands once
        ("mamab", None),  # and so is one in a short word
        ("zebra", None),
        ("gpt5", None),
    ],
)
def test_the_nearest_word_is_meant(typed: str, meant: str | None) -> None:
    """A word is corrected to the nearest known one, and only where a slip is likely."""
    assert nearest(typed, _KNOWN, _KNOWN.__getitem__) == meant


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("jailbrake", ["jailbreak"]),
        ("transfromer", ["transformer"]),
        ("benchmerk", ["benchmark"]),
        ("tkoen", []),  # too short to guess at
        ("zebras", []),
        ("gpt4567", []),
    ],
)
def test_words_two_slips_away_are_alike(typed: str, near: list[str]) -> None:
    """More is offered than would be corrected, but nothing for short words and signs."""
    assert similar(typed, [*_KNOWN, "jailbreak"]) == near


def test_of_equally_near_words_the_most_frequent_is_meant() -> None:
    """Where two words are one slip away, the one that more entries hold is chosen."""
    known = {"modeled": 2, "modelers": 3, "models": 80}
    assert nearest("modeles", known, known.__getitem__) == "models"


@pytest.mark.parametrize(
    ("word", "pairs"),
    [
        ("finetune", "fi netune, fin etune, fine tune, finet une, finetu ne"),
        ("llama2", "llama 2, ll ama2, lla ma2, llam a2"),
        ("cots", "co ts"),
        ("2024", "20 24"),
        ("cat", ""),
    ],
)
def test_words_part_in_two(word: str, pairs: str) -> None:
    """Each part has two letters or more, but a number may stand after any."""
    assert splits(word) == [tuple(pair.split()) for pair in pairs.split(", ") if pair]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lies", False),
        ("grokking", False),
        ("bribery", False),
        ("attention", False),
        ("atention", True),
        ("neighbour", False),
        ("generalisation", False),
        ("behavour", True),
        ("gpt4", False),
        ("abc", False),
    ],
)
def test_an_english_word_is_not_mistyped(word: str, *, expected: bool) -> None:
    """A right but rare word is looked for as it is, whatever stands near it."""
    assert may_be_mistyped(word) is expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("behavioural", "behavioral"),
        ("optimisers", "optimizers"),
        ("tokenisation", "tokenization"),
        ("analysing", "analyzing"),
        ("fibres", "fibers"),
        ("defence", "defense"),
        ("colourised", "colorized"),
        ("source", None),
        ("promise", None),
        ("inference", None),
        ("hour", None),
        ("rise", None),
    ],
)
def test_a_british_word_has_an_american_spelling(word: str, expected: str | None) -> None:
    """What is an English word as it stands is none of Britain's alone."""
    assert american(word) == expected


def test_the_list_of_english_words_is_as_words_are_folded() -> None:
    """It has whole words alone, each once, with its licence beside it, in less than 2 MB."""
    folder = files("store.search")
    text = folder.joinpath("english_words.txt").read_text(encoding="utf-8")
    words = text.split()
    assert words == sorted({fold(word) for word in words})
    assert all(len(word) >= 4 and is_english(word) for word in words[::500])
    assert len(text) < 2_000_000
    assert "Kevin Atkinson" in folder.joinpath("english_words.LICENSE").read_text(encoding="utf-8")
