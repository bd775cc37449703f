"""Foreign text made fit to be shown, and cut by meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.texts import (
    addresses,
    beginning,
    cleaned,
    is_address,
    kept_lines,
    paragraphs,
    runs,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  two \n\t words ", "two words"),
        ("\u202eturned\x07", "turned"),
        ("half \ud83d a sign", "half a sign"),
        ("\u200b \u2060", ""),
        ("\ue000", "\ue000"),
        ("مرحبا\u200f!", "مرحبا\u200f!"),
        ("", ""),
    ],
)
def test_cleaned(text: str, shown: str) -> None:
    """A text stands on one line without anything that steers, and is empty if nothing shows."""
    assert cleaned(text) == shown


def test_paragraphs() -> None:
    """Paragraphs that show nothing are left out."""
    assert paragraphs("One\nline.\n\n\u200b\n\n\n\nTwo.") == ["One line.", "Two."]


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://arxiv.org/abs/2501.00001v2", True),
        ("http://localhost:8080/a?b=c&d=(e)#f", True),
        ("https://medium.com/@author/story", True),
        ("https://arxiv.org@example.org/", False),
        ("https://example.org/a|b", False),
        ("https://example.org/<!channel>", False),
        ("https://example.org/a b", False),
        ("https://münchen.example/", False),
        ("https:///path", False),
        ("javascript:alert(1)", False),
        ("mailto:a@example.org", False),
        ("https://example.org/\n", False),
        ("", False),
    ],
)
def test_is_address(url: str, address: bool) -> None:  # noqa: FBT001 - the expected answer
    """A link leads to a plain address of the web."""
    assert is_address(url) is address


def test_runs_end_with_sentences() -> None:
    """A text is cut after a sentence, if there is an end of one in the second half."""
    text = "One sentence here. Another one there. And a third one."
    assert runs(text, 40, len) == ["One sentence here. Another one there. ", "And a third one."]


def test_runs_end_with_words() -> None:
    """A long sentence is cut between words, a long word anywhere."""
    assert runs("some words of a sentence", 12, len) == ["some words ", "of a ", "sentence"]
    assert runs("x" * 25, 10, len) == ["x" * 10, "x" * 10, "x" * 5]


@given(st.lists(st.text("ab {},", max_size=40), min_size=1, max_size=9), st.integers(20, 80))
def test_kept_lines_hold_everything(lines: list[str], heaviest: int) -> None:
    """No text is too heavy, and together they have every line in order, cut only where too long."""
    cut = kept_lines("\n".join(lines), heaviest, len)
    assert all(len(each) <= heaviest for each in cut)
    assert "\n".join(cut).replace("\n", "") == "".join(lines)
    if len("\n".join(lines)) <= heaviest and lines[-1]:
        assert cut == ["\n".join(lines)]


def test_beginning() -> None:
    """A text that is repeated is cut with an ellipsis, a short one not."""
    assert beginning("some words of a sentence", 12, len) == "some words…"
    assert beginning("some words", 12, len) == "some words"


@given(st.text(max_size=400).map(cleaned), st.integers(20, 200))
def test_runs_hold_everything(text: str, heaviest: int) -> None:
    """No run is too heavy, however it is weighed, and together they lose no sign."""

    def weight(words: str) -> int:
        return len(words.encode())

    cut = runs(text, heaviest, weight)
    assert "".join(cut) == text
    assert all(weight(run) <= heaviest for run in cut)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("posted · https://a.slack.com/archives/C1/p17", ["https://a.slack.com/archives/C1/p17"]),
        ("See (https://a.org/x_1). And http://b.org!", ["https://a.org/x_1", "http://b.org"]),
        ("<https://a.org|https://b.org>", []),
        ("https://arxiv.org@evil.org/ https://аrxiv.org ftp://a.org HTTP://b https://", []),
    ],
)
def test_addresses(text: str, found: list[str]) -> None:
    """An address ends before the signs of the sentence; one that may deceive is none."""
    assert [text[start:end] for start, end in addresses(text)] == found


@pytest.mark.parametrize("heft", [1, 2])
def test_runs_are_weighed_by_themselves(heft: int) -> None:
    """The work of cutting a text is proportional to its length."""
    weighed = []

    def weight(words: str) -> int:
        weighed.append(len(words))
        return heft * len(words)

    text = "A sentence. " * 1000

    assert "".join(runs(text, 100, weight)) == text
    assert sum(weighed) < 10 * len(text)


def test_kept_lines_are_weighed_by_themselves() -> None:
    """Lines that stand together in one text are not weighed anew with each that joins them."""
    weighed = []

    def weight(words: str) -> int:
        weighed.append(len(words))
        return len(words)

    text = "\n".join(["line"] * 4000)

    assert "\n".join(kept_lines(text, 1000, weight)) == text
    assert sum(weighed) < 5 * len(text)
