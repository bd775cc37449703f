"""Lists and tables in HTML, as READMEs have them."""

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
)

_SLEEPY, _NAP = f'<a href="{SLEEPY}">Sleepy</a>', f"<a class=x href='{NAP}'>Nap</a>"


@pytest.mark.parametrize(
    "text",
    [
        f"<ul>\n<li>{_SLEEPY} it rests</li>\n<li>{_NAP}</li>\n</ul>\n",
        f"<ul><li>{_SLEEPY} it rests</li><li>{_NAP}</li></ul>\n",
        f"<UL>\n<LI>{_SLEEPY}: it rests\n<LI>{_NAP}\n</UL>\n",
        f"<ol>\n  <li>\n    {_SLEEPY} -\n    it rests\n  </li>\n  <li><p>{_NAP}</p></li>\n</ol>\n",
        f"<ul>\n<li>\n\n[Sleepy]({SLEEPY}) - it rests\n\n</li>\n<li>{_NAP}</li>\n</ul>\nProse.\n",
        f"<ul>\n\n- [Sleepy]({SLEEPY}) - it rests\n- [Nap]({NAP})\n\n</ul>\n",
        (
            f"<ul><li><b>Sleepy</b> it rests <a href={SLEEPY}>[paper]</a></li>"
            f"<li><strong>Nap</strong> <a href='{NAP}'><img src='a.svg' alt='pdf'></a></li></ul>\n"
        ),
        f"<ul><li><a href='{SLEEPY}'><b>Sleepy</b></a>, <i>it rests</i></li><li>{_NAP}</li></ul>\n",
        f"- {_SLEEPY} it rests\n- <b>{_NAP}</b>\n",
        f"# A\n\n    <ul>\n        <li>{_SLEEPY} it rests</li>\n      <li>{_NAP}\n    </ul>\n",
        f"<dl>\n<dt>{_SLEEPY}</dt>\n<dd>it rests</dd>\n<dt>{_NAP}</dt>\n</dl>\n",
        (
            f"<table>\n<tr><td><img src='a'></td><td><b>Sleepy</b><br>it rests<br>"
            f"<a href='{SLEEPY}'>[Paper]</a></td></tr>\n"
            f"<tr><td></td><td><b>Nap</b> <a href='{NAP}'>[pdf]</a></td></tr>\n"
            "</table>\n"
        ),
        f"<table><tr><td>{_SLEEPY} it rests</td><td>{_NAP}</td></tr></table>\n",
        f"<table>\n<tr>\n<td>\n\n- {_SLEEPY} it rests\n- {_NAP}\n\n</td>\n</tr>\n</table>\n",
        f"<ul>\n<li>{_SLEEPY} it rests\n<li>{_NAP}\n\n## Prose\n\nUse `<ul>` and <ol> here.\n",
        (
            f"<table>\n<tr><th>Paper</th><th>Notes</th></tr>\n<tr><td>{_SLEEPY}</td>"
            f"<td>it rests</td></tr>\n<tr>\n<td>{_NAP}</td>\n<td></td>\n</tr>\n</table>\n"
        ),
        (
            f"<table><thead><tr><td><b>Title</b></td><td>Link</td><td>Why</td></tr></thead><tbody>"
            f"<tr><td>Sleepy</td><td><a href='{SLEEPY}'>pdf</a></td><td>it rests</td></tr><tr>"
            f"<td>Nap</td><td>{NAP}</td></tr></tbody></table>\n"
        ),
    ],
)
def test_a_list_in_html_is_a_list(text: str) -> None:
    """Items and rows in HTML are papers as those in Markdown are, on one line or many."""
    assert papers(parse(text)) == [("Sleepy", "it rests", SLEEPY), ("Nap", None, NAP)]


def test_a_nested_list_in_html_is_a_note_or_a_theme() -> None:
    """What is below an item is its note; below a name alone there are papers."""
    parsed = parse(
        f"<details><summary>Vision</summary>\n<ul>\n<li>{_SLEEPY}<ul><li>it rests</li></ul></li>\n"
        f"</ul>\n</details>\n\n<ul><li>Text<ul><li>{_NAP}</li><li><a href='{NAP}3'>Third</a></li>"
        f"</ul></li></ul>\n\n- [Fourth]({NAP}4)\n  <ul>\n  <li>so new</li></ul> so old\n"
    )
    assert [(entry.heading, *told(entry)) for entry in entries(parsed)] == [
        ("Vision", "Sleepy", "it rests", SLEEPY),
        ("Text", "Nap", None, NAP),
        ("Text", "Third", None, f"{NAP}3"),
        ("Text", "Fourth", "so old", f"{NAP}4"),
    ]


def test_lines_of_a_list_in_html_keep_their_numbers() -> None:
    """A row is named by the line on which its item begins, whatever stands on one line."""
    parsed = parse(
        f"<h2>Week of July 13, 2026</h2><ul><li>{_SLEEPY}</li><li>1</li></ul>\n<h2>2026-W30</h2>\n"
        f"<ul>\n<li>\n{_NAP}</li></ul>\n",
        week=None,
    )
    assert [(days(each)[0], each.line, each.entries[0].line) for each in parsed.editions] == [
        ("2026-07-13", 1, 1),
        ("2026-07-20", 2, 4),
    ]
    assert [note.line for note in parsed.warnings] == [1]


def test_a_cell_that_spans_rows_moves_no_other() -> None:
    """The cells of the rows below stay in their columns."""
    parsed = parse(
        "<table><tr><th>Field</th><th>Paper</th><th>Link</th></tr><tr><td rowspan=2>A</td>"
        f"<td>Sleepy | Nap</td><td>{SLEEPY}</td></tr><tr><td>Nap</td><td>{NAP}</td></tr></table>\n"
    )
    assert papers(parsed) == [("Sleepy | Nap", None, SLEEPY), ("Nap", None, NAP)]


@pytest.mark.parametrize(
    "rest",
    [
        (
            '<table><tr><td align="center"><a href="https://github.com/x"><img src="a"/><br/>'
            "<sub><b>Jane</b></sub></a></td></tr></table>\n"
        ),
        "<table><tr><td><img src='a'></td><td>b</td></tr></table>\n",
        "```html\n<ul><li>no paper</li></ul>\n```\n",
        "Write <ul> and not\n<ol>\nhere.\n",
    ],
)
def test_html_that_only_places_things_holds_no_papers(rest: str) -> None:
    """A table of pictures, code, and a tag in a sentence are no rows."""
    parsed = parse(f"- [Sleepy]({SLEEPY})\n\n## Thanks\n\n{rest}\n\n## More\n\n- [Nap]({NAP})\n")
    assert titles(parsed) == ["Sleepy", "Nap"]
    assert parsed.unread_rows == 0


@pytest.mark.parametrize("kind", [None, "list"])
@pytest.mark.parametrize(
    "head", ["<html><body>", "<!-- a -->\n<!DOCTYPE html>\n<title>a</title>\n"]
)
def test_a_page_of_such_lists_stays_a_page(head: str, kind: str | None) -> None:
    """A whole web page is no list, whatever it is called: its menus are lists, too."""
    with pytest.raises(WrongShape):
        parse(f"{head}<ul><li>{_SLEEPY}</li><li>{_NAP}</li></ul>\n- [Dream]({NAP}3)\n", kind=kind)
