"""Words with a slip of the finger, and words that are two."""

import pytest

from store.search.spelling import nearest, similar, splits

_KNOWN = {
    "attention": 90, "retrieval": 40, "retrieved": 4, "transformer": 60, "play": 8, "clay": 2,
    "plan": 9, "token": 70, "taken": 30, "chain": 12, "optimization": 20, "benchmark": 50,
    "gone": 0,
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
