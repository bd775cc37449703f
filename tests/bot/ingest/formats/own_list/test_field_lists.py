"""Lists in the shapes that READMEs and sheets of teams really have."""

import pytest

from bot.domain.drafts import DocumentKind, ParsedDocument
from bot.errors import WrongShape
from tests.bot.ingest.formats.own_list.reading import days, entries, parse, told
from tests.shared_data import shared_file

SLEEPY = "https://arxiv.org/abs/2607.11111"
NAP = "https://arxiv.org/abs/2607.22222"
_ITEMS = f"1. [Sleepy]({SLEEPY})\n2. [Nap]({NAP})\n"


def field(name: str) -> ParsedDocument:
    """Read a document as a team really has it."""
    return parse(shared_file(f"field/{name}").read_bytes(), name, week=None)


def test_a_list_may_begin_with_a_comment() -> None:
    """A comment of HTML is no web page."""
    parsed = field("list-begins-with-comment.md")
    assert [told(entry) for entry in entries(parsed)] == [
        ("Sleepy", None, SLEEPY),
        ("Nap", None, NAP),
    ]
    assert days(parsed.editions[0]) == ("2026-07-13", "2026-07-19")


def test_a_list_may_have_its_title_in_a_comment() -> None:
    """What leads to another part of the site is neither a link nor a note."""
    data = shared_file("field/list-in-comment-head.md").read_bytes()
    assert [told(entry) for entry in entries(parse(data))] == [
        ("A Theory of Sleepy Networks", None, "https://openreview.net/forum?id=aaBBcc"),
        ("Long Roads with State Spaces", None, "https://arxiv.org/pdf/2111.99901"),
        ("Molecules in Hats", None, "https://arxiv.org/pdf/2109.99902"),
    ]


@pytest.mark.parametrize(
    "head",
    [
        '<h1 align="center">Naps</h1>\n\n## 2026-W29\n',
        "<div align=center>\n\n<h1>Naps</h1>\n\n</div>\n\n<h2 id=a>Week of July 13, 2026</h2>\n\n",
        "<!-- a\n b\n-->\n<!-- c -->\n# Naps\n\n## 2026-W29\n",
        "<p align=\"center\"><img src='a.png'></p>\n<h1>Naps</h1>\n\n<h3>2026-W29</h3>\n\n",
        '<a id="top"></a>\n# Naps\n## July 13-19, 2026\n\n',
        "# Naps\n<details>\n<summary>2026-W29</summary>\n\n",
        "# Naps\n<details open><summary><b>2026-W29</b></summary>\n\n",
        "# Naps\n<details>\n  <summary>Week of July 13, 2026</summary>\n\n",
        "<img src=a.png>\n\n# Naps\n\n2026-W29\n\n",
    ],
)
def test_html_around_a_list_is_read_as_headings(head: str) -> None:
    """Headings and folded parts in HTML name the week as those in Markdown do."""
    parsed = parse(f"{head}{_ITEMS}\n</details>\n", week=None)
    assert [told(entry) for entry in entries(parsed)] == [
        ("Sleepy", None, SLEEPY),
        ("Nap", None, NAP),
    ]
    assert [days(edition) for edition in parsed.editions] == [("2026-07-13", "2026-07-19")]
    assert parsed.slug == "naps"


def test_a_folded_abstract_is_the_note() -> None:
    """The word above what is folded below an item says nothing."""
    parsed = parse(
        f"1. [Sleepy]({SLEEPY})\n   <details><summary>Abstract</summary>\n   We sleep.\n"
        f"   </details>\n2. [Nap]({NAP})\n\n<details>\n<summary>TL;DR</summary>\n\nWe nap.\n\n"
        "</details>\n\n3. Dream\n"
    )
    assert [told(entry) for entry in entries(parsed)] == [
        ("Sleepy", "We sleep.", SLEEPY),
        ("Nap", "We nap.", NAP),
        ("Dream", None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- a --><!DOCTYPE html><html><body>\n- one thing\n- another\n</body></html>",
        "<?xml version='1.0'?>\n<x>\n- one thing\n</x>",
        "<main>\n1. one thing\n</main>",
    ],
)
def test_a_web_page_is_no_list(text: str) -> None:
    """A page with lines like items stays a page."""
    with pytest.raises(WrongShape, match="no round-up that Broadsheet knows"):
        parse(text)


def test_such_a_list_is_recognised_as_one() -> None:
    """Its kind is that of lists, whatever it begins with."""
    assert parse(f"<br>\n{_ITEMS}").kind is DocumentKind.LIST
