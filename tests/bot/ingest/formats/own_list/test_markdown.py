"""Lists in Markdown as teams write them: their parts and order come through, no mark does."""

import pytest

from bot.domain.drafts import DocumentKind
from bot.errors import DocumentError
from store.records import Highlight, Link
from tests.bot.ingest.formats.own_list.reading import days, entries, papers, parse, titles, told

ATTENTION = "https://arxiv.org/abs/1706.03762"
BERT = "https://arxiv.org/abs/1810.04805"
LORA = "https://arxiv.org/abs/2106.09685"
MAMBA = "https://arxiv.org/abs/2312.00752"
CODE = "https://a.example/m"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"1. [Mamba]({MAMBA}) - linear time", ("Mamba", "linear time", MAMBA)),
        (f"1. [Mamba]({MAMBA}): linear time", ("Mamba", "linear time", MAMBA)),
        (f"1. [**Mamba**]({MAMBA}) \u2014 *linear* time", ("Mamba", "linear time", MAMBA)),
        (f"1. **[Mamba]({MAMBA})**, linear `time`", ("Mamba", "linear time", MAMBA)),
        ("1. **Mamba** - linear time", ("Mamba", "linear time")),
        ("1) Mamba", ("Mamba", None)),
        ("(1) Mamba \u2013 linear time", ("Mamba", "linear time")),
        ("- Mamba", ("Mamba", None)),
        ("* [ ] Mamba", ("Mamba", None)),
        (f"- [x] [Mamba]({MAMBA})", ("Mamba", None, MAMBA)),
        ("\u2022 Mamba", ("Mamba", None)),
        ("1\ufe0f\u20e3 Mamba", ("Mamba", None)),
        (f"- \U0001f525 [Mamba]({MAMBA}) \U0001f40d", ("Mamba", None, MAMBA)),
        ("- \U0001f525 Mamba", ("Mamba", None)),
        (f"- Mamba {MAMBA}", ("Mamba", None, MAMBA)),
        (f"- Mamba ({MAMBA}), linear time.", ("Mamba", "linear time.", MAMBA)),
        (f"- {MAMBA} - Mamba", ("Mamba", None, MAMBA)),
        (f"- <{MAMBA}> Mamba", ("Mamba", None, MAMBA)),
        ("- Mamba, arXiv:2312.00752", ("Mamba", None, MAMBA)),
        ("- Mamba \u2013 2312.00752v2", ("Mamba", None, MAMBA)),
        (r"1\. Mamba", ("Mamba", None)),
        (f"- Mamba [[paper]({MAMBA})] [[code]({CODE})]", ("Mamba", None, MAMBA, CODE)),
        (f"- [2023/12] **Mamba** ([arXiv]({MAMBA}))", ("Mamba", None, MAMBA)),
        (f"- Read: [Mamba, Linear in Time]({MAMBA})", ("Mamba, Linear in Time", "Read", MAMBA)),
        ("- BERT: Pre-training of Transformers", ("BERT: Pre-training of Transformers", None)),
        ('- "Mamba" - linear time', ("Mamba", "linear time")),
        ("- Q&amp;A &lt;over&gt; tables", ("Q&A <over> tables", None)),
        (r"- 5 \* Mamba \_x\_", ("5 * Mamba _x_", None)),
        (f'- <a href="{CODE}">Mamba</a><br>linear <b>time</b>', ("Mamba", "linear time", CODE)),
        (f"- [Mamba](<{MAMBA}>) see [its talk]({CODE})", ("Mamba", "see its talk", MAMBA, CODE)),
        (f"## 1. [Mamba]({MAMBA})\n\nLinear time.", ("Mamba", "Linear time.", MAMBA)),
        (f"- [![arXiv](https://img.example/b.svg)]({MAMBA}) Mamba", ("Mamba", None, MAMBA)),
        ("- [Mamba](arxiv.org/abs/2312.00752)", ("Mamba", None, MAMBA)),
        (f"1. **Mamba**\n{MAMBA}\nLinear time.", ("Mamba", "Linear time.", MAMBA)),
        ("1. Mamba\n   - Linear time.\n   - [code](https://a.example/m)", ("Mamba", "Linear time.", "https://a.example/m")),
        ("1. Mamba\n\n   Linear time.\n\n   > Ours.", ("Mamba", "Linear time. Ours.")),
    ],
)  # fmt: skip
def test_an_item_has_a_title_a_note_and_addresses(line: str, expected: tuple[str, ...]) -> None:
    """However an item is written, its parts are told from each other."""
    parsed = parse(f"{line}\n")
    assert parsed.kind is DocumentKind.LIST
    assert papers(parsed) == [expected]
    assert parsed.unread_rows == 0


def test_the_order_is_the_ranks_where_they_are_printed() -> None:
    """Numbers that differ are ranks; otherwise papers are counted as they come."""
    assert [e.rank for e in entries(parse("1. A b\n2. C d\n4. E f\n"))] == [1, 2, 4]
    assert [e.rank for e in entries(parse("1. A b\n1. C d\n\n- E f\n"))] == [1, 2, 3]


def test_numbers_go_on_around_paragraphs() -> None:
    """A paragraph between two numbers that follow each other is the note of the first."""
    parsed = parse(
        "1. Mamba\n\nLinear time.\n\n2. BERT\n\nBoth ways.\n\n3. LoRA\n\nThanks for reading!\n"
    )
    assert papers(parsed) == [("Mamba", "Linear time."), ("BERT", "Both ways."), ("LoRA", None)]
    assert [note.line for note in parsed.passed_over] == [11]


def test_bullets_below_an_item_are_its_note_and_highlights() -> None:
    """The first one is the note where there is none yet, the others are highlights."""
    text = f"- [Mamba]({MAMBA})\n  - Linear time.\n  - **Cost**: little.\n  - paper: {MAMBA}\n"
    (entry,) = entries(parse(text))
    assert (entry.summary, entry.highlights) == ("Linear time.", (Highlight("Cost", "little."),))
    assert entry.links == (Link("Paper", MAMBA),)


def test_a_readme_has_themes_a_table_of_contents_and_badges() -> None:
    """Headings are themes, links within the site are passed over, prose is no part of the list."""
    text = f"""# Awesome sequence models

[![stars](https://img.example/s.svg)](https://a.example) A list of ours.

- [Attention](#attention)
- [State spaces](#state-spaces)
- [How to contribute](CONTRIBUTING.md)

## Attention
- [Attention Is All You Need]({ATTENTION}) - The transformer.
- [BERT]({BERT})

## State spaces

- [Mamba]({MAMBA})
"""
    parsed = parse(text)
    (edition,) = parsed.editions
    assert (parsed.slug, edition.title) == ("awesome-sequence-models", "Awesome sequence models")
    assert [(e.title, e.heading) for e in edition.entries] == [
        ("Attention Is All You Need", "Attention"),
        ("BERT", "Attention"),
        ("Mamba", "State spaces"),
    ]
    assert [heading.title for heading in edition.headings] == ["Attention", "State spaces"]
    assert parsed.warnings == ()


def test_an_item_over_titles_with_links_is_a_theme() -> None:
    """Papers two levels deep are papers, and what stands above them is their theme."""
    text = f"- Attention\n  - [BERT]({BERT})\n  - [Attention Is All You Need]({ATTENTION})\n"
    assert [(e.title, e.heading) for e in entries(parse(text))] == [
        ("BERT", "Attention"),
        ("Attention Is All You Need", "Attention"),
    ]


def test_two_weeks_stand_in_one_document() -> None:
    """Each heading with a week begins an edition: a day means its ISO week, a range itself."""
    text = f"""# Team reading

## Week of Jan 7, 2026
1. [Mamba]({MAMBA})

## Jan 13 \u2013 16, 2026
1. [BERT]({BERT})

### 2026-W04
(1) LoRA
"""
    parsed = parse(text, week=None)
    assert [(days(e), e.title, [x.title for x in e.entries]) for e in parsed.editions] == [
        (("2026-01-05", "2026-01-11"), "Team reading", ["Mamba"]),
        (("2026-01-13", "2026-01-16"), "Team reading", ["BERT"]),
        (("2026-01-19", "2026-01-25"), "Team reading", ["LoRA"]),
    ]


def test_a_week_given_for_several_is_refused() -> None:
    """`--week` does not unite what the headings keep apart."""
    text = "## 2026-W02\n- Mamba\n## 2026-W03\n- BERT\n"
    with pytest.raises(DocumentError, match="holds 2 weeks"):
        parse(text)


def test_a_table_needs_one_column_of_titles() -> None:
    """Columns are told by their names, in any order; others are left out."""
    text = f"""| Why | # | Owner | Paper | Code |
|:--|--:|---|---|---|
| linear \\| time | 2 | Ann | [Mamba]({MAMBA}) | https://a.example/m |
| | 1 | Bob | **BERT** | |
| nothing | 3 | Cy | | |
"""
    parsed = parse(text)
    assert [(e.rank, *told(e)) for e in entries(parsed)] == [
        (2, "Mamba", "linear | time", MAMBA, "https://a.example/m"),
        (1, "BERT", None),
    ]
    assert [note.line for note in parsed.warnings] == [5]


def test_rows_that_are_not_understood_are_named_by_line() -> None:
    """A row without a title is left out and named, and the others are read."""
    text = f"1. [Mamba]({MAMBA})\n2. {BERT}\n3. ???\n4. [paper]({LORA})\n5. BERT\n"
    parsed = parse(text)
    assert [(e.rank, e.title) for e in entries(parsed)] == [(1, "Mamba"), (5, "BERT")]
    assert [note.line for note in parsed.warnings] == [2, 3, 4]
    assert parsed.unread_rows == 3


def test_a_list_with_its_week_in_brackets_is_no_newsletter() -> None:
    """Items that have all in one line, or their text indented, are a list, and none breaks off."""
    heads = "# Team papers (Jan 5-11, 2026)\n\n"
    texts = [
        f"{heads}1. [Mamba]({MAMBA}) - linear\n2. [BERT]({BERT}) - both ways\n",
        f"{heads}1. Mamba\n2. BERT\n",
        f"{heads}1. **Mamba**\n   - linear\n2. **BERT**\n   - both ways\n",
        f"{heads}1. **Mamba** - linear\n\n2. **BERT** - both ways\n",
        f"{heads}| Rank | Paper |\n|---|---|\n| 1. | [Mamba]({MAMBA}) |\n| 2. | BERT |\n",
    ]
    for text in texts:
        parsed = parse(text, week=None)
        assert parsed.kind is DocumentKind.LIST
        assert titles(parsed) == ["Mamba", "BERT"]
        assert [days(edition) for edition in parsed.editions] == [("2026-01-05", "2026-01-11")]
        assert parsed.warnings == ()
