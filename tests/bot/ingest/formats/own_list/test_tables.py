"""Tables with separators: a sheet's, Notion's, Zotero's and our own."""

import pytest

from bot.domain.drafts import DocumentKind
from store.records import Highlight, Link
from tests.bot.ingest.formats.own_list.reading import days, entries, papers, parse, titles, told

ATTENTION = "https://arxiv.org/abs/1706.03762"
MAMBA = "https://arxiv.org/abs/2312.00752"

_NOTION = (
    "\ufeffName,Tags,URL,Created,Notes\r\n"
    f'Attention Is All You Need,"a, b",{ATTENTION},"January 5, 2026 9:00 AM",The transformer\r\n'
    f'"Mamba, Linear in Time",ssm,{MAMBA},"January 6, 2026 9:00 AM",'
    '"Two lines:\n- linear\n- fast"\r\n'
)
_ZOTERO = (
    '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url",'
    '"Abstract Note","Date","Date Added","Notes"\n'
    '"AB12CD34","preprint","2017","Vaswani, Ashish; Shazeer, Noam","Attention Is All You Need","",'
    f'"","{ATTENTION}","An abstract.","2017-06-12","2026-01-05 09:30:00","<p>Read again</p>"\n'
    '"EF56GH78","journalArticle","1997","Hochreiter, Sepp","Long Short-Term Memory","",'
    '"10.1162/neco.1997.9.8.1735","","","1997-11-15","2026-01-06 10:00:00",""\n'
)


def test_a_notion_export_is_read() -> None:
    """Its title is the first column, its multi-line notes are one text."""
    parsed = parse(_NOTION, "Papers 0123456789abcdef0123456789abcdef.csv")
    assert parsed.kind is DocumentKind.LIST
    assert papers(parsed) == [
        ("Attention Is All You Need", "The transformer", ATTENTION),
        ("Mamba, Linear in Time", "Two lines: linear fast", MAMBA),
    ]
    assert (parsed.slug, parsed.unread_rows) == ("papers", 0)


def test_a_zotero_export_is_read() -> None:
    """Notes come before the abstract, and a DOI is an address."""
    parsed = parse(_ZOTERO, "zotero.csv")
    first, second = entries(parsed)
    assert told(first) == ("Attention Is All You Need", "Read again", ATTENTION)
    assert first.highlights == (Highlight("Abstract Note", "An abstract."),)
    assert told(second) == (
        "Long Short-Term Memory",
        None,
        "https://doi.org/10.1162/neco.1997.9.8.1735",
    )


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_sheet_may_have_any_separator(separator: str) -> None:
    """Commas, semicolons, tabs and bars split cells, and quotes keep them together."""
    lines = [["Rank", "Paper", "Link", "Why"], ["2", f'"Mamba{separator} again"', MAMBA, "fast"]]
    text = "".join(f"{separator.join(line)}\n" for line in lines)
    (entry,) = entries(parse(text, "sheet.csv"))
    assert (entry.rank, *told(entry)) == (
        2,
        " ".join(f"Mamba{separator} again".split()),
        "fast",
        MAMBA,
    )


def test_cells_lose_their_marks_and_addresses() -> None:
    """Markdown, addresses in notes and bare ids are links, and leave no trace in the text."""
    text = (
        "Title,arXiv,Code,Comment\n"
        f'Mamba,2312.00752,github.com/state-spaces/mamba,"see **this** [post](https://a.example/p)"\n'
        f'[Attention]({ATTENTION}),,,"good, {ATTENTION}"\n'
    )
    first, second = entries(parse(text, "sheet.csv"))
    assert told(first)[:2] == ("Mamba", "see this")
    assert first.links == (
        Link("Paper", MAMBA),
        Link("Code", "https://github.com/state-spaces/mamba"),
        Link("post", "https://a.example/p"),
    )
    assert told(second) == ("Attention", "good", ATTENTION)


def test_a_row_that_is_broken_costs_itself_alone() -> None:
    """A quote without an end, and a row without a title, are named; blank rows are none."""
    text = f'Title,URL\n"Mamba,{MAMBA}\nAttention,{ATTENTION}\n,{MAMBA}\n,\n\nLSTM,\n'
    parsed = parse(text, "sheet.csv")
    assert titles(parsed) == ["Attention", "LSTM"]
    assert [note.line for note in parsed.warnings] == [2, 4]
    assert parsed.unread_rows == 2


def test_lines_are_counted_over_cells_of_several_lines() -> None:
    """A row is named by the line in which it begins."""
    text = 'Title,Note\nMamba,"a\nb\nc"\n,"no title"\nLSTM,x\n'
    parsed = parse(text, "sheet.csv")
    assert [entry.line for entry in entries(parsed)] == [2, 6]
    assert [note.line for note in parsed.warnings] == [5]


def test_a_column_may_name_the_week_of_each_row() -> None:
    """`Week` does, and the days of our own export do."""
    text = "Week,Title\n2026-W02,Mamba\nJan 13-16 2026,LSTM\n3 2026,GRU\n"
    parsed = parse(text, "sheet.csv", week=None)
    assert [(days(e), [x.title for x in e.entries]) for e in parsed.editions] == [
        (("2026-01-05", "2026-01-11"), ["Mamba"]),
        (("2026-01-13", "2026-01-16"), ["LSTM"]),
        (("2026-01-12", "2026-01-18"), ["GRU"]),
    ]


@pytest.mark.parametrize(
    ("text", "path"),
    [("Title,URL\nMamba,https://a.example/m\n", "list.md"), ("1. Mamba\n", "list.csv")],
)
def test_the_content_tells_the_kind_and_not_the_file(text: str, path: str) -> None:
    """A wrong name of a file changes nothing."""
    assert titles(parse(text, path)) == ["Mamba"]
