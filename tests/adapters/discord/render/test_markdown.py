"""Foreign text for Discord: it stands for itself, mentions nobody, leads nowhere unseen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.limits import Look
from adapters.common.layout.texts import cleaned
from adapters.discord.render.limits import LIMITS
from adapters.discord.render.markdown import in_markdown, leading_to_itself, linked
from tests.adapters.common.layout.replies import seen
from tests.adapters.discord.render.visible_text import read, starts

_SIGNS = '@<>#!&:/[]()*_~|`\\-+. \nae1h"tps'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Plain words: 10 * 5, C++ (v2).", r"Plain words: 10 \* 5, C++ (v2)."),
        ("**b** __u__ ~~s~~ ||x|| `c`", r"\*\*b\*\* \_\_u\_\_ \~\~s\~\~ \|\|x\|\| \`c\`"),
        ("back\\slash", r"back\\slash"),
        ("<@123> <@&4> <#5>", "\\<@\u200b123> \\<@\u200b&4> \\<#5>"),
        ("@everyone, @here, @you", "@\u200beveryone, @\u200bhere, @you"),
        ("<t:1:R> </ask:1> <id:guide> <:a:1>", r"\<t\:1:R> \</ask:1> \<id:guide> \<\:a:1>"),
        (":wave: from:SOURCE 10:30", r"\:wave: from:SOURCE 10:30"),
        ("[here](https://evil.example)", r"\[here\](<https://evil.example>)"),
        ("See https://a.example/b_c.", "See <https://a.example/b_c>."),
        ("https://a.example/(x)", r"https\://a.example/(x)"),
        ("https://a.example/@everyone", "https\\://a.example/@\u200beveryone"),
        ("steam://run/1", r"steam\://run/1"),
    ],
)
def test_escaped(text: str, shown: str) -> None:
    """What means something in Discord stands for itself, but for addresses that show whole."""
    assert in_markdown(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# heading", r"\# heading"),
        ("-# small", r"\-# small"),
        ("- bullet", r"\- bullet"),
        ("> quoted", r"\> quoted"),
        ("1. first", r"1\. first"),
        ("1.5 times", "1.5 times"),
        ("2025 was", "2025 was"),
    ],
)
def test_beginnings(text: str, shown: str) -> None:
    """What begins a line begins no list and no heading there; elsewhere it is left as it is."""
    assert in_markdown(text) == shown
    assert in_markdown(text, starts=False) == text


def test_linked() -> None:
    """Words lead to an address, whose risky signs are written otherwise."""
    url = "https://en.example/Attention_(*)"
    assert linked("A *star*", url) == r"[A \*star\*](<https://en.example/Attention_%28%2A%29>)"
    assert linked("[Re] Attention", url).startswith(r"[\[Re\] Attention](<https")


def test_what_can_be_no_link() -> None:
    """An address leads to itself; words like an address, or with a bracket, stand before it."""
    url = "https://a.example/b"
    assert linked(url, url) == "<https://a.example/b>"
    assert linked("https://bank.example", url) == "<https://bank.example> <https://a.example/b>"
    assert linked("a] b", url) == r"a\] b <https://a.example/b>"
    assert linked("# a]", url, starts=True) == r"\# a\] <https://a.example/b>"


def test_an_address_shows_its_own_signs() -> None:
    """With signs that are risky in an address it is the words of a link, without its scheme."""
    assert leading_to_itself("https://a.example/b_c") == "<https://a.example/b_c>"
    url = "https://en.example/Attention_(*)"
    assert leading_to_itself(url) == (
        r"[en.example/Attention\_(\*)](<https://en.example/Attention_%28%2A%29>)"
    )
    assert leading_to_itself("http://0/]*") == r"0/\]\* <http://0/]%2A>"


@pytest.mark.parametrize(
    ("url", "linkable"),
    [
        ("https://a.example/b", True),
        ("https://a.example/" + "(" * 160, True),
        ("https://a.example/" + "(" * 170, False),
        ("javascript:alert(1)", False),
        ("HTTP://a.example", False),
        ("https://A.example/B", True),
    ],
)
def test_is_linkable(url: str, linkable: bool) -> None:  # noqa: FBT001 - the expected answer
    """A link leads to a plain address of the web, of some length at most as it is written."""
    assert LIMITS.is_linkable(url) is linkable


def length(text: str) -> int:
    """Return how long a text is as whoever counts most would count it: in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(st.text(_SIGNS, max_size=80).map(cleaned), st.text("ab()*@_/", max_size=20))
def test_words_take_no_more_than_the_limits_count(words: str, path: str) -> None:
    """Words and links as Markdown are no longer than the limits count them."""
    plain, link = LIMITS.costs.span[Look.PLAIN].text, LIMITS.costs.link.text
    assert length(in_markdown(words)) <= LIMITS.text.of(words) + plain
    url = f"https://a.example/{path}"
    counted = LIMITS.text.of(words) + LIMITS.url.of(url) + link
    assert length(linked(words, url)) <= counted
    assert length(linked(url, url)) <= counted
    own = LIMITS.text.of(url) + LIMITS.url.of(url) + link
    assert length(leading_to_itself(url)) <= own


@given(st.text(_SIGNS, max_size=80))
def test_nothing_has_an_effect(text: str) -> None:
    """However signs stand together, what is read is what was written."""
    shown = in_markdown(cleaned(text))
    assert starts(shown) == []
    assert seen(read(shown)) == seen(text)


@given(st.text(max_size=200).map(cleaned))
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    """No sign of any script is lost."""
    assert seen(read(in_markdown(text))) == seen(text)
