"""Papers that are lines by themselves: titles in bold, as links, or above an address."""

import pytest

from bot.errors import WrongShape
from tests.bot.ingest.formats.own_list.reading import (
    NAP,
    SLEEPY,
    addresses,
    days,
    entries,
    papers,
    parse,
    told,
)

_PAPERS = [("Sleepy Attention", SLEEPY), ("Second Nap", NAP), ("Third Dream", f"{NAP}3")]


@pytest.mark.parametrize(
    "shape",
    [
        "**{title}**\nHana Solo\n[Paper]({url}) [Code](https://a.example)\n\n",
        "**{title}**  \n*Hana Solo*  \n[[Paper]({url})] [[Code](https://a.example)]  \n",
        "__{title}__\\\n_Hana Solo_\\\n[arXiv]({url}) \u00b7 [GitHub](https://a.example)\n\n",
        "**{n}. {title}**\nHana Solo\n[Paper]({url})\n\n",
        "**{title}**\n\nHana Solo\n\n[Paper]({url}) | [Code](https://a.example)\n\nIt rests.\n\n",
        "**{title}**\nHana Solo. [[pdf]({url})]\n\n- It rests.\n- We liked it.\n\n",
        "**{title}**\n- Authors: Hana Solo\n- Paper: {url}\n- It rests.\n\n",
        "**{title}** [paper]({url}) [code](https://a.example)\n\n",
        "**{title}** (ICLR 2026) [[paper]({url})]\n",
        "**{title}** - Hana Solo. It rests. {url}\n\n",
        "**[{title}]({url})**\nHana Solo. It rests.\n\n",
        "[{title}]({url})\nHana Solo. It rests.\n\n",
        "<b>{title}</b><br>\nHana Solo<br>\n<a href='{url}'>Paper</a>\n\n",
        "\U0001f4c4 **{title}**\n\U0001f517 [Paper]({url})\n\n",
        "{title}\n{url}\n\n",
        "{title}\n{url}\n",
        "{title}\n\n{url}\n\n",
        "{title}\nHana Solo, J. Doe\n{url}\n\n",
        "{title} - {url}\n",
        "{title} {url}\n\n",
    ],
)
@pytest.mark.parametrize("head", ["", "# Naps\n\n## Vision\n\n", "# Naps\n\nWhat we read.\n\n"])
def test_a_title_may_be_a_line_by_itself(shape: str, head: str) -> None:
    """What stands below it, up to the next one, is its link and its note."""
    lines = [
        shape.format(title=title, url=url, n=n) for n, (title, url) in enumerate(_PAPERS, start=1)
    ]
    parsed = parse(f"{head}{''.join(lines)}")
    assert addresses(parsed) == _PAPERS
    assert {each.heading for each in entries(parsed)} == {"Vision" if "Vision" in head else None}
    assert parsed.unread_rows == 0


def test_such_a_title_without_an_address_is_one_among_others() -> None:
    """A paper that is not out yet stands among those that are."""
    parsed = parse(
        f"**Sleepy**\nSolo\n[Paper]({SLEEPY})\n\n**Dream**\nNot out yet.\n\n**Nap**\n[pdf]({NAP})\n"
    )
    assert papers(parsed) == [
        ("Sleepy", "Solo", SLEEPY),
        ("Dream", "Not out yet."),
        ("Nap", None, NAP),
    ]


@pytest.mark.parametrize("mark", ["**{}**", "## {}", "### 1. {}"])
def test_a_name_above_such_titles_is_a_theme(mark: str) -> None:
    """In bold or as a heading, it is no paper; nor is one above a list."""
    vision, text = mark.format("Vision"), mark.format("Text")
    parsed = parse(
        f"{vision}\n\n**Sleepy**\nSolo\n[Paper]({SLEEPY})\n\n**Nap**\n[pdf]({NAP})\n\n"
        f"{text}\n\n**Dream**\n[Paper]({NAP}3)\n\nAlso:\n\n- [Doze]({NAP}4) deeply\n"
    )
    rank = "1. " if "1." in mark else ""
    assert [(each.heading, each.title) for each in entries(parsed)] == [
        (f"{rank}Vision", "Sleepy"),
        (f"{rank}Vision", "Nap"),
        (f"{rank}Text", "Dream"),
        (f"{rank}Text", "Doze"),
    ]


@pytest.mark.parametrize("mark", ["{}", "**{}**", "## {}"])
def test_weeks_stand_between_such_titles(mark: str) -> None:
    """A line that names a week ends what stands below a paper."""
    parsed = parse(
        f"{mark.format('Week of July 13, 2026')}\n\n**Sleepy**\nSolo\n[Paper]({SLEEPY})\n\n"
        f"{mark.format('Week of July 20, 2026')}\n\n**Nap**\nSolo\n[Paper]({NAP})\n",
        week=None,
    )
    assert [(days(each)[0], [told(e) for e in each.entries]) for each in parsed.editions] == [
        ("2026-07-13", [("Sleepy", "Solo", SLEEPY)]),
        ("2026-07-20", [("Nap", "Solo", NAP)]),
    ]


@pytest.mark.parametrize(
    "shape", ["**Sleepy**\n[Paper]({})\n\n", "**Sleepy**\n\n{}\n\n", "Sleepy nap\n{}\n\n"]
)
def test_a_paper_may_be_told_in_several_weeks(shape: str) -> None:
    """A title that comes again is one again, where its address stands below it."""
    text = shape.format(SLEEPY)
    other = text.replace("Sleepy", "Dream").replace(SLEEPY, NAP)
    parsed = parse(f"## 2026-W29\n\n{text}{other}## 2026-W30\n\n{text}", week=None)
    assert [[e.title[:6].strip() for e in each.entries] for each in parsed.editions] == [
        ["Sleepy", "Dream"],
        ["Sleepy"],
    ]


@pytest.mark.parametrize("author", ["**Hana Solo, Jan Doe**", "**Hana Solo**, Jan Doe", "**Hana**"])
def test_bold_authors_below_a_heading_are_no_title(author: str) -> None:
    """A heading with a link below stays the paper, and so do the parts of what is said of it."""
    part = "**Key points**\n- It rests.\n"
    parsed = parse(
        f"## Sleepy\n{author}\n[Paper]({SLEEPY})\n\n{part}\n"
        f"## Nap\n**Hana Solo, J. Doe et al.**\n[Paper]({NAP})\n\n{part}"
    )
    assert addresses(parsed) == [("Sleepy", SLEEPY), ("Nap", NAP)]


@pytest.mark.parametrize(
    "text",
    [
        f"Dear all,\n\nwe read [Sleepy]({SLEEPY}) this week, and **Nap**.\n\nSee you,\nHana\n",
        f"Dear all,\n\nthe paper is at {SLEEPY}\n\nand the other one is at {NAP}\n\nHana\n",
        f"**Note**: see {SLEEPY}\n\n**Attention** is told in {NAP}\n\n**Naps** are in {NAP}\n",
        "**Please come**\nat noon.\n\n**Lunch**\nis at one.\n",
    ],
)
def test_sentences_are_no_titles(text: str) -> None:
    """A letter that names papers is no list of them."""
    with pytest.raises(WrongShape, match="no round-up that Broadsheet knows"):
        parse(text)
