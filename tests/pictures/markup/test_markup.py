"""Texts with marks, as the platforms and a terminal show them."""

import pytest

from tests.pictures.markup import ansi, markdown, mrkdwn
from tests.pictures.markup.words import lines_of


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*bold* _italic_ ~gone~", "<b>bold</b> <i>italic</i> <s>gone</s>"),
        ("`a*b*c`", "<code>a*b*c</code>"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("<https://a.org/?x&amp;y|A &lt; B>", '<a href="https://a.org/?x&amp;y">A &lt; B</a>'),
        ("&gt; quoted\nafter", "<blockquote>quoted</blockquote>after"),
        ("one\ntwo :warning:", "one<br>two ⚠️"),
        ("```\n*kept*\n```", "<pre>*kept*</pre>"),
        ("in <#C1|general>", 'in <span class="mention">#general</span>'),
    ],
)
def test_mrkdwn(text: str, html: str) -> None:
    """Marks of mrkdwn mean something beside words only, and nothing in code."""
    assert mrkdwn.html_of(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("## Title\nwords", '<h2>Title</h2><div class="line">words</div>'),
        ("-# small **bold**", "<small>small <strong>bold</strong></small>"),
        (r"\*kept\* \<b>", '<div class="line">*kept* &lt;b&gt;</div>'),
        ("[A](<https://a.org/b>)", '<div class="line"><a href="https://a.org/b">A</a></div>'),
        ("- a\n> b", '<div class="bullet">a</div><blockquote>b</blockquote>'),
        ("<t:1768208400:F> (<t:1768208400:R>)",
         '<div class="line">Monday, January 12, 2026 at 9:00 AM (0 hours ago)</div>'),
        ("```\n**kept**\n```", "<pre>**kept**</pre>"),
    ],
)  # fmt: skip
def test_markdown(text: str, html: str) -> None:
    """Lines and marks mean in Discord what its own client shows."""
    assert markdown.html_of(text) == html


def test_ansi() -> None:
    """Escape sequences become looks and links, and everything else stands for itself."""
    text = "\x1b[1;36m[a]\x1b[0m \x1b]8;;https://a.org\x1b\\A & B\x1b]8;;\x1b\\"
    assert ansi.html_of(text) == (
        '<span class="bold cyan">[a]</span> <a href="https://a.org">A &amp; B</a>'
    )


def test_words_of_a_page() -> None:
    """A page is told as lines, with marks around what can be pressed, and pictures in words."""
    page = (
        "<title>No</title><h1>Title</h1><p>One <b>line</b></p><span class='button'>Save</span>"
        "<span class='menu'><span>Vote</span></span><img alt='A plot'>"
    )
    assert lines_of(page) == ["Title", "One line", "[Save] (Vote)", "Picture: A plot"]
