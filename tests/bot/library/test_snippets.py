"""The sentence that shows why a paper was found."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.library.search import snippet
from store.records import Entry, Highlight
from store.search import Term

TRAINING = "Training costs half as much, and routing is balanced by a loss."
SUMMARY = (
    "Large models forget. A small router sends tokens to experts; every expert learns its own."
    f" {TRAINING}"
)


def _entry(summary: str | None, *highlights: Highlight, heading: str | None = None) -> Entry:
    return Entry(
        ref="a:2026-01-05#1",
        position=0,
        rank=1,
        episode=None,
        title="Routing by Loss",
        summary=summary,
        highlights=highlights,
        heading=heading,
        section=None,
        links=(),
        arxiv_id=None,
        doi=None,
    )


def _terms(*weighed: tuple[str, int], others: Sequence[str] = ()) -> list[Term]:
    """Return a term for each run, all with the other forms."""
    forms = tuple(tuple(other.split()) for other in others)
    return [
        Term(tuple(run.split()), (tuple(run.split()), *forms), weight) for run, weight in weighed
    ]


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        (_terms(("tokens", 1)), "A small router sends tokens to experts"),
        (_terms(("train", 1)), TRAINING),
        (_terms(("balancing", 1), ("routed", 1)), TRAINING),
        (_terms(("expert", 1), ("learn", 1)), "every expert learns its own."),
        (_terms(("expert", 1), ("model", 3)), "Large models forget."),  # the rarer word
        (_terms(("zebra", 1)), "Large models forget."),  # the first where none holds any
        (_terms(("moe", 1), others=["small router"]), "A small router sends tokens to experts"),
        (_terms(("small tokens", 1)), "Large models forget."),  # a run stands together
        (_terms(("gates", 1)), "Gates: None are needed."),
    ],
)  # fmt: skip
def test_the_sentence_that_holds_most_is_shown(terms: list[Term], expected: str) -> None:
    """Words count by their weight, in any form, and by what they are also written as."""
    assert snippet(_entry(SUMMARY, Highlight("Gates", "None are needed.")), terms) == expected


def test_a_long_sentence_is_cut_around_the_words() -> None:
    """The text long before and after the words becomes an ellipsis."""
    sentence = f"{'before ' * 50}the sparse attention layer {'behind ' * 50}end."
    shown = snippet(_entry(sentence), _terms(("sparse", 1), ("attention", 1)))
    assert len(shown) <= 200
    assert shown.startswith("…before ")
    assert shown.endswith(" behind…")
    assert "the sparse attention layer" in shown


def test_words_at_the_end_keep_what_leads_up_to_them() -> None:
    """If little text follows the words, more before them is shown."""
    sentence = f"{'before ' * 50}sparse attention."
    shown = snippet(_entry(sentence), _terms(("attention", 1)))
    assert shown == f"…{'before ' * 26}sparse attention."


def test_of_a_long_sentence_the_part_that_holds_most_is_shown() -> None:
    """A part with both words is preferred to one with either."""
    sentence = f"Attention {'x ' * 200}sparse attention {'y ' * 200}sparse."
    shown = snippet(_entry(sentence), _terms(("sparse", 1), ("attention", 1)))
    assert "sparse attention" in shown


def test_an_entry_without_text_shows_its_title() -> None:
    """Without a sentence the title is the snippet; a heading is a sentence."""
    assert snippet(_entry(None), _terms(("loss", 1))) == "Routing by Loss"
    assert snippet(_entry(None, heading="On losses"), _terms(("loss", 1))) == "On losses"


@given(st.text(max_size=600), st.lists(st.text("abc ", min_size=1).filter(str.strip), max_size=3))
def test_any_text_gives_a_short_reason(text: str, runs: list[str]) -> None:
    """Whatever an entry says and whatever was looked for, the reason is one short line."""
    shown = snippet(_entry(text), _terms(*((run, 1) for run in runs)))
    assert len(shown) <= 200
    assert "\n" not in shown


def test_a_document_without_a_full_stop_is_one_long_sentence() -> None:
    """The part around a word is shown, however long the text is."""
    many = " ".join(["word"] * 20_000)
    found = snippet(_entry(f"{many} needle {many}"), _terms(("needle", 1)))
    assert len(found) <= 200
    assert " needle " in found
