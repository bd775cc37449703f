"""Typed text is read as it was meant, whatever made it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.typed_text import as_meant

# Quotation marks, dashes, blanks, what has no width, and letters of several scripts.
_SIGNS = (
    " \n\"'`,-:a1Z\u00e9\u4e2d\u30fc\uff53\uff1a\u3000\u00a0"
    "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u2018\u2019\u201a\u201b\u300c\u300d\uff02\uff07"
    "\u2014\u2013\u2212\u2011\u2796\ufe63"
    "\u00ad\u200b\u200c\u200d\ufeff\u200f\u2066\ufe0f\U0001f469\U0001f52c"
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("search “small models” —vision since: 2025", 'search "small models" -vision since: 2025'),
        (
            "search moe –vision −speech ―audio ‒ocr ﹘x －y",
            "search moe -vision -speech -audio -ocr -x -y",
        ),
        ("search moe ——vision", "search moe -vision"),
        ("search moe —“small models”", 'search moe -"small models"'),
        ("alert match:“—vision moe”", 'alert match:"-vision moe"'),
        ("ｓｅａｒｃｈ　ｍｏｅ", "search moe"),
        ("search topic：agents", "search topic:agents"),
        ("`search moe`", "search moe"),
        ("``search moe``", "search moe"),
        ("```search moe```", "search moe"),
        ("```\nsearch moe\n```", "search moe"),
        ("```text\nsearch moe\n```", "search moe"),
        ("```Markdown\nsearch moe\n```", "search moe"),
        ("`search moe`.", "search moe"),
        ("/papers `search moe`", "search moe"),
        ("@Broadsheet: ```search moe```", "search moe"),
        ("search moe since∶2025", "search moe since:2025"),
        ("show 3\ufe0f\u20e3", "show 3"),
        ("search cafe\u0301", "search caf\u00e9"),
        ("show 2026‑01‑05#3", "show 2026-01-05#3"),
        ("show dair:2026–01–05#3", "show dair:2026-01-05#3"),
        ("week 2026–W02", "week 2026-W02"),
        ("top 2025–Q4", "top 2025-Q4"),
        ("save 1−3", "save 1-3"),
        ("\ufeff`search moe`\u200b", "search moe"),
        ("se\u00adarch mo\u200be\u200f", "search moe"),
        ("search\u00a0moe\u202fagents", "search moe agents"),
        ("\u2066search\u2069 \u202amoe\u202c", "search moe"),
    ],
)
def test_signs_are_plain(typed: str, meant: str) -> None:
    """Dashes, blanks, full-width signs, code marks and what has no width are read as meant."""
    assert as_meant(typed) == meant


@pytest.mark.parametrize(
    "marks",
    [
        "“{}”", "„{}“", "„{}”", "”{}”", "«{}»", "« {} »", "«\u00a0{}\u00a0»", "»{}«",
        "「{}」", "『{}』",
        "《{}》", "‘{}’", "‚{}‘", "‹{}›", "‹ {} ›", "›{}‹",
        "''{}''", "``{}''", "‘‘{}’’", ",,{}''", "‚‚{}‘‘", "＂{}＂", "〝{}〟", "❝{}❞",
    ],
)  # fmt: skip
def test_quotation_marks_of_any_language_are_plain(marks: str) -> None:
    """Quotation marks of any language around a phrase are straight ones."""
    typed = f"search {marks.format('small models')} —vision"
    assert as_meant(typed) == 'search "small models" -vision'


@pytest.mark.parametrize(
    "text",
    [
        "top 2024–2025",
        "week Jan 5–11",
        "long‑context mixture-of-experts",
        "papers – if any — on agents",
        "ask --json",
        "search -vision",
        "it's 'fine' as f''(x)",
        "see `x` and `y`",
        "```",
        "``",
        "👩\u200d🔬 ❤\ufe0f",
        "می\u200cخواهم",
        "क्\u200dष",
        "検索 モデル、論文。",
        "שלום עולם",
        "search a\nb",
        " search moe ",
    ],
)
def test_what_is_plain_stays(text: str) -> None:
    """Ranges, hyphenated words, letters of any script, joined emoji and single code marks stay."""
    assert as_meant(text) == text


def test_an_apostrophe_is_no_quotation_mark() -> None:
    """A typographic apostrophe is a straight one, within quotation marks too."""
    typed = "what’s new in ‘don’t stop’ and the models’ weights"
    assert as_meant(typed) == "what's new in \"don't stop\" and the models' weights"


def test_what_no_quotation_mark_closes_costs_no_more_the_longer_it_is() -> None:
    """Of many that open a quotation none is read to the end; the square of them took seconds."""
    text = ",,a " * 10_000 + "''x"
    assert as_meant(text) == text
    marks = "a" + "\u0315\u0300" * 20_000
    assert as_meant(marks) == marks


@given(st.text(_SIGNS, max_size=14) | st.text(max_size=30))
def test_reading_twice_is_reading_once(text: str) -> None:
    """What was read once is plain."""
    assert as_meant(as_meant(text)) == as_meant(text)


@given(st.text("".join(map(chr, range(32, 127))).replace("`", "").replace("'", "")))
def test_plain_text_is_as_it_was(text: str) -> None:
    """A text of plain signs without code marks stays as it is."""
    assert as_meant(text) == text
