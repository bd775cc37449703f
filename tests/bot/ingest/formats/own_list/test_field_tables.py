"""Tables in the shapes that teams really have: titles above them, columns in any language."""

import pytest

from bot.errors import WrongShape
from tests.bot.ingest.formats.own_list.reading import days, entries, parse, told
from tests.shared_data import shared_file

SLEEPY = "https://arxiv.org/abs/2607.11111"
NAP = "https://arxiv.org/abs/2607.22222"


def test_a_sheet_may_have_a_title_above_its_head() -> None:
    """A paper that is told twice is one, and a computed cell is no note."""
    parsed = parse(shared_file("field/sheet-title-row.csv").read_bytes(), "sheet.csv")
    assert [told(entry) for entry in entries(parsed)] == [
        ("Sleepy Attention", 'he said "wow" twice again', SLEEPY),
        ("Second Nap", None, NAP),
        ("Third, Nap", None, "https://arxiv.org/abs/2607.33333"),
    ]
    assert parsed.unread_rows == 0


@pytest.mark.parametrize(
    "above", ["Naps\n", "Our naps;;\n", "Naps\n\n", '"Naps, and more";;\n;;\n', "sep=;\nNaps;;\n"]
)
def test_what_stands_above_a_head_is_no_row(above: str) -> None:
    """A title, blank rows and Excel's own line are passed over."""
    (entry,) = entries(parse(f"{above}Title;Link;Why\nSleepy;{SLEEPY};rest\n", "sheet.csv"))
    assert told(entry) == ("Sleepy", "rest", SLEEPY)


@pytest.mark.parametrize(
    "name",
    [
        "Title & Authors", "Title/Authors", "Topic", "Paper/Blog", "Paper & Code", "\u8bba\u6587",
        "\u9898\u76ee", "\u8bba\u6587\u6807\u9898", "\u6807\u9898",
        "\u8ad6\u6587\u30bf\u30a4\u30c8\u30eb",
        "\ub17c\ubb38", "\uc81c\ubaa9", "\u041d\u0430\u0437\u0432\u0430\u043d\u0438\u0435",
        "\u0421\u0442\u0430\u0442\u044c\u044f", "T\u00edtulo", "Titulo", "Titre", "Titolo",
        "Artigo", "Model", "Was wir lesen",
    ],
)  # fmt: skip
def test_a_column_of_titles_has_many_names(name: str) -> None:
    """Where the name is unknown, the one column of links to papers is that of titles."""
    rows = f"| [Sleepy]({SLEEPY}) | rest |\n| [Nap]({NAP}) | |\n"
    parsed = parse(f"## 2026-W29\n\n| {name} | Notes |\n|---|---|\n{rows}", week=None)
    assert [told(entry) for entry in entries(parsed)] == [
        ("Sleepy", "rest", SLEEPY),
        ("Nap", None, NAP),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"Model,URL\nSleepy,{SLEEPY}\n",
        "| Model | URL |\n|---|---|\n| Sleepy | x |\n",
    ],
)
def test_columns_without_a_title_are_named(text: str) -> None:
    """Where no column is known as a title the sentence says what there is."""
    with pytest.raises(WrongShape, match="it has Model, URL: name one Title"):
        parse(text, kind="list")


@pytest.mark.parametrize(
    "stamp",
    [
        "## Updated on 2026.07.16\n",
        "**Last updated: July 16, 2026**\n\n",
        "# Naps\n> Updated on 2026-07-16\n\n",
    ],
)
def test_rows_with_dates_go_by_them(stamp: str) -> None:
    """The day on which a followed list was written is no week of its rows."""
    head = "|Publish Date|Title|PDF|\n|---|---|---|\n"
    rows = f"|**2026-07-02**|**Sleepy**|[pdf]({SLEEPY})|\n|2026-07-14|Nap|[pdf]({NAP})|\n"
    parsed = parse(f"{stamp}{head}{rows}", "list.md", "list", None, {})
    assert [(days(edition)[0], edition.entries[0].title) for edition in parsed.editions] == [
        ("2026-06-29", "Sleepy"),
        ("2026-07-13", "Nap"),
    ]


def test_a_table_in_markdown_may_lack_its_outer_bars() -> None:
    """It is no sheet with bars."""
    parsed = parse(f"2026-W29\n\nPaper | Why\n---|---\n[Sleepy]({SLEEPY}) | rest\n", week=None)
    assert [told(entry) for entry in entries(parsed)] == [("Sleepy", "rest", SLEEPY)]
    assert parsed.unread_rows == 0


def test_many_rows_that_say_the_same_have_one_warning() -> None:
    """Thousands of rows without a title are told of once, with the first lines and their number."""
    rows = "".join(f"| | {number} |\n" for number in range(5_000))
    parsed = parse(f"| Title | Why |\n|---|---|\n| Sleepy | rest |\n{rows}")
    assert parsed.unread_rows == 5_000
    [note] = parsed.warnings
    assert note.line == 4
    assert note.text.endswith("; 4,999 more like it: lines 5, 6, 7, \u2026")
