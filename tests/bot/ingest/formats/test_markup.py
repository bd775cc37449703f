"""HTML said again: it shows the same, and the parser makes no more of it than stands there."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from bot.ingest.formats.markup import simplified


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ('<P Class="a b" onclick="c()">d</P>', '<p class="a b">d</p>'),
        ("<a href=x/ >a</a><a href='y\"'>b", '<a href="x/">a</a><a href="y&quot;">b'),
        ("<a/href=1>x<br/>", '<a href="1">x<br/>'),
        ('<a href="1" href="2" HREF=3>', '<a href="1">'),
        ('<time datetime="<b>">', '<time datetime="&lt;b>">'),
        ("<b id=1 hidden>a</b><i>b</i>", "<b>a</b><span>b</span>"),
        ("<i id=1><br>a<em>b</em></i>", "<span><br>a<span>b</span></span>"),
        ("<i id=1>a<p>b</i></p><u>c", "<i>a<p>b</i></p><u>c"),
        ("<i><tt>a</i></tt\n>b</u>", "<i><tt>a</i></tt\n>b</u>"),
        ("a < b & c <3 &lt; d", "a &lt; b & c &lt;3 &lt; d"),
        ("a<!-- <p>\n -->b<!x\n>c</\n>d", "a\nb\nc\nd"),
        ("<script>if (a<b) {\n'</p>'}</script>c", "<script>\n</script>c"),
        ("<title>a<b>c</title>d", "<title>a&lt;b&gt;c</title>d"),
        ('<p class="a\nb">c', '<p\n class="a b">c'),
        ("<p\n\nhidden\n>a", '<p\n\n\n hidden="">a'),
        ('a<p class="b', "a"),
        ("<p<p>a</p<p>", "a"),
        ("<script>a", "<script>"),
    ],
)
def test_markup_is_said_again(markup: str, said: str) -> None:
    """Names, attributes that are read, text and line ends stay; the rest goes."""
    assert simplified(markup) == said


_TAGS = ("p", "b", "i", "em", "a", "div", "ul", "li", "br", "h2", "span", "font")
_SIGNS = st.sampled_from([
    "word ", "&amp;", "&", "\n", " ", "<!-- a -->", *(f"<{tag}>" for tag in _TAGS),
    *(f"</{tag}>" for tag in _TAGS), '<a href="https://a.b/?c=d&amp;e">', "<p class=a id='<'>",
])  # fmt: skip


@given(st.lists(_SIGNS, max_size=30).map("".join))
@example("<i><a>word </span>word ")
@example("<span><i><a>word </span>word ")
@example("<i><a>word </em>word ")
@example("<i><a>word </i>word ")
@example("<i><p><a>word </i>word ")
@example("<p><i><a>word <br></a></i><em><a>word </p>word ")
def test_it_shows_the_same(markup: str) -> None:
    """A reader sees the same text, and links that lead to the same."""
    one, other = LexborHTMLParser(markup), LexborHTMLParser(simplified(markup))
    assert one.body
    assert other.body
    assert other.body.text() == one.body.text()
    assert [a.attributes.get("href") for a in other.css("a") if a.text()] == [
        a.attributes.get("href") for a in one.css("a") if a.text()
    ]


@given(st.text("<>/='\" \n&;!-abip", max_size=60))
def test_what_is_said_again_is_said(markup: str) -> None:
    """Whatever the signs, saying it once more changes nothing, and its lines keep their numbers."""
    said = simplified(markup)
    assert simplified(said) == said
    assert said.count("\n") == markup.count("\n")


@pytest.mark.parametrize(
    "tags",
    [
        "<p><b x{i}>", "<table><strong x{i}>a", "<p><font x{i}><i x{i}>", "<p><a href={i}>",
        "<p><big><code><em><font><i>x<s><small><strike><tt><u>", "<p><i><em>x</i></em><u>",
    ],
)  # fmt: skip
def test_a_tree_is_as_large_as_its_markup(tags: str) -> None:
    """However text is nested that was never closed, it is opened again a few times a block."""
    markup = "".join(tags.replace("{i}", str(number)) for number in range(300))
    elements = LexborHTMLParser(simplified(markup)).css("*")
    assert len(elements) <= 10 * markup.count("<")


def test_no_tag_has_more_attributes_than_are_read() -> None:
    """Of thousands of attributes stay those that somebody reads, wherever quotes stand."""
    junk = " ".join(f'x{number}=">" y{number}' for number in range(5000))
    assert simplified(f"<p {junk} class=a {junk}>b") == '<p class="a">b'
