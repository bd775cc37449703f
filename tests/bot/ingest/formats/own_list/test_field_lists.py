"""Lists in the shapes that READMEs and sheets of teams really have."""

import pytest

from bot.domain.drafts import DocumentKind, ParsedDocument
from bot.errors import WrongShape
from tests.bot.ingest.formats.own_list.reading import (
    NAP,
    SLEEPY,
    addresses,
    days,
    entries,
    papers,
    parse,
    titles,
    told,
)
from tests.shared_data import shared_file

_ITEMS = f"1. [Sleepy]({SLEEPY})\n2. [Nap]({NAP})\n"


def field(name: str) -> ParsedDocument:
    """Read a document as a team really has it."""
    return parse(shared_file(f"field/{name}").read_bytes(), name, week=None)


def test_a_list_may_begin_with_a_comment() -> None:
    """A comment of HTML is no web page."""
    parsed = field("list-begins-with-comment.md")
    assert papers(parsed) == [("Sleepy", None, SLEEPY), ("Nap", None, NAP)]
    assert days(parsed.editions[0]) == ("2026-07-13", "2026-07-19")


def test_a_list_may_have_its_title_in_a_comment() -> None:
    """What leads to another part of the site is neither a link nor a note."""
    data = shared_file("field/list-in-comment-head.md").read_bytes()
    assert papers(parse(data)) == [
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
        '<h1 align="center">\n  Naps\n</h1>\n\n<h2>\n2026-W29\n</h2>\n\n',
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
    assert papers(parsed) == [("Sleepy", None, SLEEPY), ("Nap", None, NAP)]
    assert [days(edition) for edition in parsed.editions] == [("2026-07-13", "2026-07-19")]
    assert parsed.slug == "naps"


def test_a_folded_abstract_is_the_note() -> None:
    """The word above what is folded below an item says nothing."""
    parsed = parse(
        f"1. [Sleepy]({SLEEPY})\n   <details><summary>Abstract</summary>\n   We sleep.\n"
        f"   </details>\n2. [Nap]({NAP})\n\n<details>\n<summary>TL;DR</summary>\n\nWe nap.\n\n"
        "</details>\n\n3. Dream\n"
    )
    assert papers(parsed) == [
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


def test_papers_may_be_headings() -> None:
    """What stands below a paper that is a heading is its note."""
    parsed = field("papers-as-headings.md")
    assert papers(parsed) == [
        ("Sleepy Attention", "J\u00f6rg M\u00fcller, Ay\u015fe \u00c7elik It sleeps.", SLEEPY),
        ("Second Nap", "Hana Solo It naps.", NAP),
    ]


@pytest.mark.parametrize(
    "shape",
    [
        "### [{title}]({url})\n- It rests.\n- We liked it.\n\n",
        "### [{n}] [{title}]({url})\nIt rests.\n\n- We liked it.\n\n",
        "## {title}\n[paper]({url}) | [code](https://a.example)\n\nIt rests.\n\n- We liked it.\n\n",
        "## {title}\n\n{url}\n\nIt rests.\n\n1. We liked it.\n2. So did they.\n\n",
        "### {title}\n- **Paper**: {url}\n- **Authors**: A. Solo\n\n",
        "### {n}. {title}\n- \u8bba\u6587\uff1a[arXiv]({url})\n- It rests.\n\n",
        "### {title}\n- \ub17c\ubb38: {url}\n- It rests.\n\n",
        "### {title} [[paper]({url})] [[code](https://a.example/b)]\n- It rests.\n\n",
        "#### {title}\n*Hana Solo* [[paper]({url})]\n\n- It rests.\n\n",
        "## [{title}]({url})\n### Abstract\nIt rests.\n### Our notes\n- We liked it.\n\n",
        "## \U0001f4c4 [{title}]({url}) \u2b50\n> It rests.\n\n* We liked it.\n\n",
        "### {n}. {title}\n- It rests.\n- We liked it.\n\n",
        "# [{title}]({url})\n- It rests.\n\n",
        "### {title}\n- Verweis: {url}\n- It rests.\n\n",
        "<details><summary>{n}. {title}</summary>\n\n- [pdf]({url})\n- It rests.\n</details>\n\n",
    ],
)
def test_what_stands_below_a_heading_is_no_paper(shape: str) -> None:
    """However papers are made headings, there are as many of them as headings."""
    papers = [("Sleepy Attention", SLEEPY), ("Second Nap", NAP), ("Third Dream", f"{NAP}3")]
    text = "".join(
        shape.format(title=title, url=url, n=n) for n, (title, url) in enumerate(papers, start=1)
    )
    parsed = parse(f"Week of July 13, 2026\n\n{text}", week=None)
    assert titles(parsed) == [title for title, _ in papers]
    if "{url}" in shape:
        assert [entry.links[0].url for entry in entries(parsed)] == [url for _, url in papers]
    assert parsed.unread_rows == 0


@pytest.mark.parametrize(
    "head",
    ["## Vision\n", "## 1. Vision\n", "## [Vision](https://a.example/vision)\n", "## (1) Vision\n"],
)
@pytest.mark.parametrize(
    "items",
    [
        _ITEMS,
        f"- [Sleepy]({SLEEPY}) - it rests\n- [Nap]({NAP})\n",
        f"- Sleepy {SLEEPY}\n- Nap {NAP}\n",
        f"- Sleepy [[paper]({SLEEPY})]\n- Nap [[paper]({NAP})]\n",
        f"| Paper | Link |\n|---|---|\n| Sleepy | {SLEEPY} |\n| Nap | {NAP} |\n",
        f"### [Sleepy]({SLEEPY})\n- it rests\n### [Nap]({NAP})\n",
    ],
)
def test_a_heading_over_papers_is_a_theme(head: str, items: str) -> None:
    """A heading is no paper where papers stand below it, whatever it looks like."""
    parsed = parse(f"# Naps\n\n{head}{items}\n## Contributing\nWrite to us.\n")
    assert addresses(parsed) == [("Sleepy", SLEEPY), ("Nap", NAP)]


def test_a_paper_without_an_address_among_headings_of_papers_is_one() -> None:
    """The bullets below it are its note, as those below its neighbours are."""
    parsed = parse(
        f"### [Sleepy]({SLEEPY})\n- a\n### Dream\n- It is new.\n- So new.\n### [Nap]({NAP})\n"
    )
    assert titles(parsed) == ["Sleepy", "Dream", "Nap"]


def test_tags_around_titles_are_none() -> None:
    """The title is the words of the link to the paper, else the bold or quoted words."""
    assert [(entry.rank, *told(entry)[:3]) for entry in entries(field("items-with-tags.md"))] == [
        (1, "Sleepy Attention", None, SLEEPY),
        (2, "Second Nap", None, NAP),
        (3, "Third Nap", None, "https://arxiv.org/abs/2607.33333"),
        (4, "Fourth Nap", "M\u00fcller et al. ICLR 2026.", "https://arxiv.org/pdf/2607.44444"),
        (
            5,
            "Fifth nap: A study",
            "M\u00fcller, J., \u00c7elik, A. (2026). Journal of Naps, 3(1).",
            "https://doi.org/10.9999/jn.5",
        ),
        (6, "Sixth Nap", None, "https://arxiv.org/abs/2607.66666"),
        (7, "Seventh Nap", "ICLR 2026", "https://arxiv.org/abs/2607.77777"),
        (8, "Eighth Nap", "CVPR'26", "https://arxiv.org/abs/2607.88888"),
        (9, "Ninth Nap with $O(n^2)$ cost", "New", "https://arxiv.org/abs/2607.99999"),
        (10, "Tenth Nap", "withdrawn", "https://arxiv.org/abs/2607.10101"),
    ]


@pytest.mark.parametrize(
    ("item", "note"),
    [
        (f"Solo et al. [Sleepy Attention]({SLEEPY}). ICLR 2026.", "Solo et al. ICLR 2026."),
        (f"**Sleepy Attention.** Solo et al. [[paper]({SLEEPY})]", "Solo et al."),
        (f"Solo, H. **Sleepy Attention**. ICLR. {SLEEPY}", "Solo, H. ICLR."),
        (f"2026-07-14: Sleepy Attention ({SLEEPY})", None),
        (f"2026-07-14: [Sleepy Attention]({SLEEPY})", None),
        (f"14/07/2026 - **Sleepy Attention** [pdf]({SLEEPY})", None),
        (f"Jul 14, 2026 \u2014 Sleepy Attention [[paper]({SLEEPY})]", None),
        (f"[x] [ICLR 2026 Oral] Sleepy Attention [[paper]({SLEEPY})]", "ICLR 2026 Oral"),
        (f"\u2705 Sleepy Attention (NeurIPS'25) [pdf]({SLEEPY})", "NeurIPS'25"),
        (f"\u3010ICLR'26\u3011Sleepy Attention {SLEEPY}", "ICLR'26"),
        (f"`ICLR 2026` Sleepy Attention [paper]({SLEEPY})", "ICLR 2026"),
        (f"![](https://a.example/b.svg) [Sleepy Attention]({SLEEPY})", None),
        (f"**NeurIPS 2025** | [Sleepy Attention]({SLEEPY})", "NeurIPS 2025"),
        (f"ICLR 2026: Sleepy Attention [[paper]({SLEEPY})]", "ICLR 2026"),
        (f"[[arXiv]({SLEEPY})] Sleepy Attention", None),
        ("[arXiv:2607.11111] Sleepy Attention", None),
        ("2607.11111: Sleepy Attention", None),
        (f"\U0001f525 **[Oct 2026]** Sleepy Attention, [paper]({SLEEPY})", None),
        (f"*(ICML 2026)* [Sleepy Attention]({SLEEPY}) by Solo", "ICML 2026. by Solo"),
        (f"~~Sleepy Attention~~ [paper]({SLEEPY})", None),
        (f"Sleepy Attention [[pdf]({SLEEPY})] [ICLR 2026]", "ICLR 2026"),
        (f"<kbd>New</kbd> [Sleepy Attention]({SLEEPY})", "New"),
        (f"Sleepy Attention, NeurIPS 2017 [pdf]({SLEEPY})", "NeurIPS 2017"),
        (f"[Sleepy `Attention`]({SLEEPY})", None),
        (f"[1] Sleepy Attention {SLEEPY}", None),
        # Quoted in any language, behind authors, linked as in wikis, chats and docs.
        (
            f'"Sleepy Attention", Solo et al., ICLR 2026 [[paper]({SLEEPY})]',
            "Solo et al., ICLR 2026",
        ),
        (f"\u00ab Sleepy Attention \u00bb, par Solo ({SLEEPY})", "par Solo"),
        (f"\u300aSleepy Attention\u300b[\u8bba\u6587]({SLEEPY})\uff0c\u5f88\u597d", "\u5f88\u597d"),
        (f"**Sleepy Attention**\uff1a[arXiv]({SLEEPY})\uff0c\u5f88\u597d", "\u5f88\u597d"),
        (f"Solo, H., Doe, J.: Sleepy Attention. In: ICLR. {SLEEPY}", "Solo, H., Doe, J. In: ICLR."),
        (f"Solo H, Doe JK. Sleepy Attention. Nature. {SLEEPY}", "Solo H, Doe JK. Nature."),
        (
            f"Hana Solo and Jan Doe. 2026. Sleepy Attention. ACL. {SLEEPY}",
            "Hana Solo and Jan Doe. 2026. ACL.",
        ),
        (f"[[Sleepy Attention]] [arXiv]({SLEEPY}) it rests ^a1b2", "it rests"),
        (f"[x] [[papers/solo2026|Sleepy Attention]] ({SLEEPY}) \u2705 2026-07-14", None),
        (f"Sleepy Attention (url:: {SLEEPY})", None),
        (f"[Sleepy Attention]({SLEEPY}) it rests %%of course%%", "it rests"),
        (f"<{SLEEPY}|Sleepy Attention> - it rests", "it rests"),
        (f"`Sleepy Attention <{SLEEPY}>`_ - it rests", "it rests"),
        (f"[[{SLEEPY}][Sleepy Attention]] it rests", "it rests"),
    ],
)
def test_a_title_is_told_from_what_stands_around_it(item: str, note: str | None) -> None:
    """Venues and authors are notes; dates, badges and check boxes say nothing."""
    (entry,) = entries(parse(f"- {item}\n"))
    assert told(entry) == ("Sleepy Attention", note, SLEEPY)


@pytest.mark.parametrize(
    "title",
    [
        "(Almost) Free Lunch", "[Re] Sleepy Attention", "1984 and the Machine", "3D-LLM: a Thing",
        "2 Fast for Naps", 'Mamba, "linear time", is good', "torch in Practice (Part 2)",
        "Read, Nap, Repeat", "A Survey of Naps", "New Naps and Old", "What is a (2, 3)-Nap?",
        '"Why Should I Trust You?": Explaining', '"Sleepy" Attention is All',
        "\u300aA\u300b and B", "A. I. Naps", "\u201cNaps\u201d by Numbers",
    ],
)  # fmt: skip
def test_a_title_that_looks_like_a_tag_stays_whole(title: str) -> None:
    """Brackets, digits and quotes belong to titles, which may go on behind quoted words."""
    (entry,) = entries(parse(f"- {title} [[paper]({SLEEPY})]\n"))
    assert entry.title == title


@pytest.mark.parametrize(
    "title", ["Kites 50% end", "ImageNet 2012 revisited", "Llama 13B", "State of AI 2025", "GPT-4"]
)
def test_bold_words_with_a_number_are_a_title(title: str) -> None:
    """A venue in bold is an acronym and its year; anything else is what the item is called."""
    text = f"# Week of Jan 5, 2026\n\n- **{title}** \u00b7 Number 1, of note\n"
    (found,) = entries(parse(text))
    assert (found.title, found.summary) == (title, "Number 1, of note")


@pytest.mark.parametrize("name", ["[[2026-07-15]]", "Week of July 13, 2026", "**2026-W29**"])
def test_an_item_that_names_a_week_dates_those_below(name: str) -> None:
    """A journal has its days as items, with the papers below."""
    parsed = parse(f"- {name}\n\t- [Sleepy]({SLEEPY}) rests\n\t\t- so deep\n", week=None)
    assert [days(edition) for edition in parsed.editions] == [("2026-07-13", "2026-07-19")]
    assert [(entry.title, entry.heading) for entry in entries(parsed)] == [("Sleepy", None)]


@pytest.mark.parametrize("title", ["Papers\n======", "Papers", "Reading\n---"])
def test_a_title_above_items_is_no_head_of_a_table(title: str) -> None:
    """A word that also names a column may stand above a list."""
    parsed = parse(f"{title}\n\n- [Sleepy]({SLEEPY})\n  - it rests\n- [Nap]({NAP})\n")
    assert papers(parsed) == [("Sleepy", "it rests", SLEEPY), ("Nap", None, NAP)]


def test_a_badge_beside_a_heading_is_no_part_of_it() -> None:
    """Neither a list's name nor a theme has the words of a picture."""
    parsed = parse(
        f"# Naps [![Awesome](a.svg)](https://a.example)\n\n## Deep [![b](b.svg)](https://b.example)\n"
        f"- [Sleepy]({SLEEPY})\n"
    )
    assert (parsed.slug, entries(parsed)[0].heading) == ("naps", "Deep")


def test_who_wrote_in_a_chat_is_no_title() -> None:
    """A name and a time above what somebody sent is no paper."""
    parsed = parse(f"Hana  10:12 AM\nSleepy Attention\n{SLEEPY}\n\nJan  10:15\nSecond Nap\n{NAP}\n")
    assert addresses(parsed) == [("Sleepy Attention", SLEEPY), ("Second Nap", NAP)]


@pytest.mark.parametrize(
    "shape",
    [
        "Title: {title}\nAuthors: Hana Solo\nLink: {url}\n\n",
        "**Title:** {title}\n**Link:** {url}\n\n---\n\n",
        "- Title: {title}\n- Link: {url}\n\n",
        "- \u6807\u9898\uff1a{title}\n- \u94fe\u63a5\uff1a{url}\n\n",
        "- title: {title}\n  url: {url}\n",
    ],
)
def test_a_title_may_be_a_field(shape: str) -> None:
    """Of fields that follow each other the title begins a paper, the others are its own."""
    papers = [("Sleepy Attention", SLEEPY), ("Second Nap", NAP)]
    parsed = parse("".join(shape.format(title=title, url=url) for title, url in papers))
    assert addresses(parsed) == papers
    assert {entry.summary for entry in entries(parsed)} <= {None, "Authors: Hana Solo"}


@pytest.mark.parametrize(
    "heading",
    ["## News", "**News**", "## \U0001f91d Contributing", "## License", "## Contributors"],
)
def test_items_beside_a_list_are_no_papers(heading: str) -> None:
    """What is told of the list itself is passed over, unless it leads to a paper."""
    rest = f"{heading}\n\n- MIT, or so\n- It has a new part\n- [Nap]({NAP})\n"
    parsed = parse(f"# Naps\n\n## Papers\n\n- [Sleepy]({SLEEPY})\n- Dream\n\n{rest}")
    assert titles(parsed) == ["Sleepy", "Dream", "Nap"]
    assert parsed.unread_rows == 0


def test_an_address_is_called_as_the_word_before_it() -> None:
    """A bare address behind `Code:` is no paper's."""
    [entry] = entries(
        parse(
            f"- Sleepy\n  - Link: {SLEEPY}\n  - **Code:** https://a.example/b\n  - it rests[^1]\n"
        )
    )
    assert [(link.label, link.url) for link in entry.links] == [
        ("Paper", SLEEPY),
        ("Code", "https://a.example/b"),
    ]


@pytest.mark.parametrize("mark", ["\u2192", "\u27a4", "\u25ba", "\u2714\ufe0f", "\u25cb", "\u2022"])
def test_a_bullet_may_be_any_sign(mark: str) -> None:
    """Arrows, triangles and check marks at the start of lines are bullets."""
    parsed = parse(f"Naps\n\n{mark} Sleepy: {SLEEPY}\n{mark} ==Nap== ({NAP}) rests\n")
    assert papers(parsed) == [("Sleepy", None, SLEEPY), ("Nap", "rests", NAP)]


def test_numbers_in_brackets_begin_references() -> None:
    """A bibliography as papers print it is a list."""
    parsed = parse(
        f'[1] H. Solo, J. Doe, "Sleepy Attention," in ICLR, 2026. {SLEEPY}\n\n'
        f'[2] J. Doe, "Second Nap," 2026. {NAP}\n'
    )
    assert [(e.rank, e.title, e.links[0].url) for e in entries(parsed)] == [
        (1, "Sleepy Attention", SLEEPY),
        (2, "Second Nap", NAP),
    ]


def test_a_list_may_be_quoted() -> None:
    """What somebody forwards stands behind signs of a quotation."""
    parsed = parse(f"Hi all,\n\n> 1. Sleepy {SLEEPY}\n> 2. [Nap]({NAP}) rests\n")
    assert papers(parsed) == [("Sleepy", None, SLEEPY), ("Nap", "rests", NAP)]
