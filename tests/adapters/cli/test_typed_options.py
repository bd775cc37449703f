"""Options of a subcommand that takes words, as they are typed."""

import pytest

from adapters.cli.ask import ask

WORDS = ("search", "moe")


@pytest.mark.parametrize(
    "option", ["--json", "—json", "–json", "――json", "－－json", "−−json", "‑‑json"]
)
def test_a_dash_of_any_width_begins_an_option(option: str) -> None:
    """Editors and telephones make one long dash of two hyphens."""
    params = ask.make_context("ask", [*WORDS, option]).params
    assert (params["text"], params["as_json"]) == (WORDS, True)


@pytest.mark.parametrize("word", ["—vision", "–jsonl", "—", "2024–2025", "“--json”"])
def test_other_words_with_dashes_are_words(word: str) -> None:
    """A dash before what is no option, or within words, is the command's to read."""
    params = ask.make_context("ask", [*WORDS, word]).params
    assert (params["text"], params["as_json"]) == ((*WORDS, word), False)
