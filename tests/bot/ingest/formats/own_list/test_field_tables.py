"""Tables in the shapes that teams really have: titles above them, columns in any language."""

from collections.abc import Sequence

import pytest

from bot.errors import WrongShape
from tests.bot.ingest.formats.own_list.reading import (
    NAP,
    SLEEPY,
    days,
    entries,
    papers,
    parse,
    titles,
    told,
    weeks,
)
from tests.shared_data import shared_file

_HYPERLINK_IN_RUSSIAN = "\u0413\u0418\u041f\u0415\u0420\u0421\u0421\u042b\u041b\u041a\u0410"


def test_a_sheet_may_have_a_title_above_its_head() -> None:
    """A paper that is told twice is one, and a computed cell is no note."""
    parsed = parse(shared_file("field/sheet-title-row.csv").read_bytes(), "sheet.csv")
    assert papers(parsed) == [
        ("Sleepy Attention", 'he said "wow" twice again', SLEEPY),
        ("Second Nap", None, NAP),
        ("Third, Nap", None, "https://arxiv.org/abs/2607.33333"),
    ]
    assert parsed.unread_rows == 0


@pytest.mark.parametrize(
    "above",
    [
        "Naps\n", "Our naps;;\n", "Naps\n\n", '"Naps, and more";;\n;;\n', "sep=;\nNaps;;\n",
        "Naps, autumn\nKept by Hana\n\n", "\ufeffsep=;\r\n", "Kept by;Hana\n;;\n",
    ],
)  # fmt: skip
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
    assert papers(parsed) == [("Sleepy", "rest", SLEEPY), ("Nap", None, NAP)]


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
    assert papers(parsed) == [("Sleepy", "rest", SLEEPY)]
    assert parsed.unread_rows == 0


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("inner", [",", ";", "; "])
@pytest.mark.parametrize("name", ["HYPERLINK", "LIEN_HYPERTEXTE", _HYPERLINK_IN_RUSSIAN])
def test_a_computed_cell_needs_no_quotes_around_it(separator: str, inner: str, name: str) -> None:
    """A sheet writes its links so, whatever separates them and in whichever language."""
    rows = [
        ("Title", "Notes", "Code"),
        (f'={name}("{SLEEPY}"{inner}"Sleepy; or, Awake")', "rest", ""),
        (f'={name}("{NAP}"{inner}"A ""Nap""")', '"so; so, so"', f'={name}("https://a.example/b")'),
        (f'"={name}(""{NAP}3""{inner}""Dream"")"', "", ""),
        (f'={name}(B9{inner}"Doze")', f"{NAP}4", ""),
    ]
    parsed = parse("".join(separator.join(row) + "\n" for row in rows), "sheet.csv")
    assert papers(parsed) == [
        ("Sleepy; or, Awake", "rest", SLEEPY),
        ('A "Nap"', "so; so, so", NAP, "https://a.example/b"),
        ("Dream", None, f"{NAP}3"),
        ("Doze", None, f"{NAP}4"),
    ]


@pytest.mark.parametrize(
    "names",
    [
        ("Titel", "Verweis", "Notiz"),
        ("Titel des Papers", "Link", "Bemerkung"),
        ("T\u00edtulo", "Enlace", "Comentarios"),
        ("Titre de l'article", "Lien", "Commentaire"),
        (
            "\u8bba\u6587\u6807\u9898\uff08\u82f1\u6587\uff09",
            "\u8bba\u6587\u5730\u5740",
            "\u63a8\u8350\u7406\u7531",
        ),
        (
            "\u8ad6\u6587\u30bf\u30a4\u30c8\u30eb",
            "\u30ea\u30f3\u30af",
            "\u5099\u8003",
        ),
        (
            "\ub17c\ubb38 \uc81c\ubaa9 (\uc601\ubb38)",
            "\ub17c\ubb38 \ub9c1\ud06c",
            "\ud55c\uc904\ud3c9",
        ),
        (
            "\u041d\u0430\u0437\u0432\u0430\u043d\u0438\u0435 \u0441\u0442\u0430\u0442\u044c\u0438",
            "\u0421\u0441\u044b\u043b\u043a\u0430",
            "\u041a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0438",
        ),
        ("Full paper title", "URL (PDF)", "Why?"),
        ("\U0001f4c4 Paper", "\U0001f517 Link", "\U0001f4dd Notes"),
    ],
)
def test_a_sheet_names_its_columns_in_any_language(names: Sequence[str]) -> None:
    """Titles, links and notes are told by their names, with signs and brackets around them."""
    parsed = parse(f"{';'.join(names)}\nSleepy;{SLEEPY};rest\nNap;{NAP};\n", "sheet.csv")
    assert papers(parsed) == [("Sleepy", "rest", SLEEPY), ("Nap", None, NAP)]


def test_a_row_of_a_schedule_without_a_paper_is_none() -> None:
    """A week off, or what is not decided yet, is passed over; it is not misunderstood either."""
    rows = (
        f"| 1 | [Sleepy]({SLEEPY}) | |\n| 2 | No meeting | |\n| 3 | *TBD* | |\n"
        f"| 4 | [TBA]({NAP}) | |\n| 5 | | HOLIDAY |\n"
    )
    parsed = parse(f"| # | Paper | Presenter |\n|---|---|---|\n{rows}")
    assert titles(parsed) == ["Sleepy", "TBA"]
    assert (parsed.unread_rows, parsed.warnings) == (0, ())


def test_the_questions_of_a_form_name_columns() -> None:
    """Answers to whole sentences are links and notes as those in short columns are."""
    parsed = parse(
        "Timestamp,Email Address,Paper title,Link to the paper,Why should we read it?\n"
        f"15/07/2026 10:12:01,a@a.example,Sleepy,{SLEEPY},it rests\n",
        "answers.csv",
    )
    assert papers(parsed) == [("Sleepy", "it rests", SLEEPY)]


def test_addresses_of_one_paper_in_a_sheet_are_one_link() -> None:
    """Zotero names arXiv three times, and the field behind its number is no note."""
    parsed = parse(
        "Title,DOI,Url,Extra\n"
        "Sleepy,10.48550/arXiv.2607.11111,http://arxiv.org/abs/2607.11111,arXiv:2607.11111 [cs]\n",
        "library.csv",
    )
    assert papers(parsed) == [("Sleepy", None, "http://arxiv.org/abs/2607.11111")]


@pytest.mark.parametrize("between", [", ", "<br>", " ; ", " "])
def test_a_cell_may_hold_several_papers(between: str) -> None:
    """Each is a paper of that row's day and note; what else the row leads to is the first one's."""
    cell = f"[Sleepy]({SLEEPY}){between}[Nap]({NAP}) (short)"
    parsed = parse(
        f"| Week | Papers | Slides | Notes |\n|---|---|---|---|\n| 2026-W29 | {cell} | | both |\n"
        f"| 2026-W30 | [Dream]({NAP}3) [code](https://a.example) | | |\n",
        week=None,
    )
    assert weeks(parsed) == [("2026-07-13", ["Sleepy", "Nap"]), ("2026-07-20", ["Dream"])]
    assert [entry.links[0].url for entry in entries(parsed)] == [SLEEPY, NAP, f"{NAP}3"]


def test_bold_words_alone_in_a_row_are_a_theme() -> None:
    """They part a table whose other rows have links; without any they are titles."""
    parsed = parse(
        f"| Paper | Link |\n|---|---|\n| **Deep** | |\n| Sleepy | {SLEEPY} |\n| **Light** | |\n"
        f"| **Nap** | {NAP} |\n"
    )
    assert [(entry.heading, entry.title) for entry in entries(parsed)] == [
        ("Deep", "Sleepy"),
        ("Light", "Nap"),
    ]
    alone = parse("| Paper | Why |\n|---|---|\n| **Sleepy** | |\n| **Nap** | |\n")
    assert titles(alone) == ["Sleepy", "Nap"]


def test_quotes_in_the_midst_of_a_cell_are_words_of_it() -> None:
    """A sheet that quotes nothing writes them as they are."""
    text = f'Title\tLink\n"Sleepy" Attention\t{SLEEPY}\nIs 5" Enough?\t{NAP}\n'
    parsed = parse(text, "sheet.tsv")
    assert titles(parsed) == ["Sleepy Attention", 'Is 5" Enough?']
    assert parsed.unread_rows == 0


def test_a_cell_longer_than_any_is_no_row() -> None:
    """A cell of a hundred kilobytes is named by its line, quoted or not."""
    rows = f'Sleepy,"rest"\nNap,"{"a " * 70_000}"\nDream,"so" {"a " * 70_000}"b"\n'
    parsed = parse(f"Title,Notes\n{rows}", "sheet.csv")
    assert titles(parsed) == ["Sleepy"]
    assert [note.line for note in parsed.warnings] == [3, 4]


def test_a_number_of_arxiv_in_another_column_is_the_link() -> None:
    """A row without a link has that of the paper that any of its cells names."""
    text = "Authors,Title,Publication\nSolo,Sleepy,arXiv preprint arXiv:2607.11111\n"
    assert papers(parse(text, "a.csv")) == [("Sleepy", None, SLEEPY)]
