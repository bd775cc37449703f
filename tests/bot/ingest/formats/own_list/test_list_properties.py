"""What holds for every list, whole or damaged, in each of its forms."""

import csv
import io
import json
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tests.bot.ingest.damage import damage, read_or_refused
from tests.bot.ingest.formats.own_list.reading import entries, papers, parse

# A title, a note and an address.
_Row = tuple[str, str, str]

_WORDS = (
    "Mamba",
    "Attention",
    "Linear",
    "C++",
    "GPT-4",
    "\u00c9tude",
    "\u6ce8\u610f",
    "3D",
    "of",
    "A&B",
)
_TITLE = st.lists(st.sampled_from(_WORDS), min_size=2, max_size=5).map(
    lambda words: " ".join(["Mamba", *words])
)
_NOTE = st.lists(
    st.sampled_from(("fast", "see", "linear,", "50%", "(ours)", "well")), max_size=4
).map(lambda words: " ".join([*words, "done"]))
_ROW = st.builds(
    lambda title, note, n: (title, note, f"https://a.example/{n}"),
    _TITLE,
    _NOTE,
    st.integers(0, 99),
)
_ROWS = st.lists(_ROW, min_size=1, max_size=6, unique_by=lambda row: row[0])


def _numbered(rows: list[_Row]) -> str:
    return "".join(f"{n}. [{t}]({url}) - {note}\n" for n, (t, note, url) in enumerate(rows, 1))


def _bold(rows: list[_Row]) -> str:
    return "".join(f"* **{title}** ({url}): {note}\n" for title, note, url in rows)


def _ranked(rows: list[_Row]) -> str:
    return "\n".join(f"({n}) {t} \u2013 {note} {url}" for n, (t, note, url) in enumerate(rows, 1))


def _bars(rows: list[_Row]) -> str:
    lines = (f"| {note} | [{title}]({url}) |\n" for title, note, url in rows)
    return "| Why | Paper |\n|---|---|\n" + "".join(lines)


def _separated(separator: str) -> Callable[[list[_Row]], str]:
    def form(rows: list[_Row]) -> str:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=separator)
        writer.writerows([("Title", "Note", "Link"), *rows])
        return text.getvalue()

    return form


def _bibtex(rows: list[_Row]) -> str:
    return "\n".join(
        f"@misc{{k{n},\n  title = {{{t}}},\n  note = {{{note}}},\n  url = {{{url}}}\n}}".replace(
            "&", r"\&"
        ).replace("%", r"\%")
        for n, (t, note, url) in enumerate(rows)
    )


def _ris(rows: list[_Row]) -> str:
    return "".join(
        f"TY  - GEN\r\nTI  - {t}\r\nN1  - {note}\r\nUR  - {url}\r\nER  - \r\n"
        for t, note, url in rows
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;")


def _html(rows: list[_Row]) -> str:
    items = (f'<li><a href="{url}">{_escaped(t)}</a> {note}</li>' for t, note, url in rows)
    return f"<ul>{'<!-- a -->'.join(items)}</ul>"


def _html_table(rows: list[_Row]) -> str:
    cells = (f"<tr><td>{note}\n<td><b>{_escaped(t)}</b><td>{url}" for t, note, url in rows)
    return f"<table><tr><th>Note<th>Title<th>Link</tr>{''.join(cells)}</table>"


def _lines(rows: list[_Row]) -> str:
    return "".join(f"**{t}**\n{note}\n[Paper]({_paper(url)})\n\n" for t, note, url in rows)


def _fields(rows: list[_Row]) -> str:
    return "".join(f"Title: {t}\nLink: {_paper(url)}\nNote: {note}\n\n" for t, note, url in rows)


def _json(rows: list[_Row]) -> str:
    return json.dumps([{"title": t, "note": note, "url": url} for t, note, url in rows])


def _paper(url: str) -> str:
    return f"{url}.pdf"


_FORMS = (
    _numbered,
    _bold,
    _ranked,
    _bars,
    _separated(","),
    _separated(";"),
    _separated("\t"),
    _bibtex,
    _ris,
    _html,
    _html_table,
    _json,
)
# One of these alone is a line of text.
_OF_SEVERAL = st.sampled_from((_lines, _fields))
_FORM = st.sampled_from(_FORMS)
_JUNK = st.text(max_size=30) | st.sampled_from(
    [
        "## Week of Jan 5, 2026",
        "---",
        "1.",
        "- ",
        "|",
        '"',
        "@misc{",
        "TY  - JOUR",
        "ER  - ",
        "}",
        "<!--",
        "<ul><li>",
        "</table>",
        "**A B**",
        "Title: A",
        '"Quoted" words, [[wiki|words]] and == ==',
    ]
)


@given(_FORM, _ROWS)
def test_all_comes_through_in_every_form(
    form: Callable[[list[_Row]], str], rows: list[_Row]
) -> None:
    """Title, note, address and order are kept, and no mark is."""
    parsed = parse(form(rows))
    assert papers(parsed) == rows
    assert parsed.unread_rows == 0
    assert parsed.warnings == ()


@given(_OF_SEVERAL, st.lists(_ROW, min_size=2, max_size=6, unique_by=lambda row: row[0]))
def test_papers_without_items_come_through(
    form: Callable[[list[_Row]], str], rows: list[_Row]
) -> None:
    """Title, note and address are kept where each paper is a few lines of text."""
    parsed = parse(form(rows))
    expected = [(title, note, _paper(url)) for title, note, url in rows]
    assert papers(parsed) == expected
    assert (parsed.unread_rows, parsed.warnings) == (0, ())


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    lines = draw(_FORM | _OF_SEVERAL)(draw(_ROWS)).split("\n")
    return "\n".join(damage(draw, lines, _JUNK))


@given(_damaged() | st.text())
def test_whatever_it_is_it_is_read_or_refused(text: str) -> None:
    """Nothing is raised but a refusal in words; each entry has a title, each remark a line."""
    parsed = read_or_refused(lambda given: parse(given, kind="list"), text)
    if parsed is None:
        return
    last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert entries(parsed)
    assert all(any(map(str.isalpha, entry.title)) for entry in entries(parsed))
    assert all("://" not in entry.title for entry in entries(parsed))
    lines = [entry.line for entry in entries(parsed)]
    lines += [note.line for note in (*parsed.warnings, *parsed.passed_over)]
    assert all(1 <= line <= last for line in lines)
