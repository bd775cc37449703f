"""The Atom feed, read back by a program that is not ours."""

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from html.parser import HTMLParser
from typing import Any

import feedparser  # type: ignore[import-untyped] # the wheel ships no types
from hypothesis import given, settings

from bot.domain.paper_ids import entry_url, web_address
from bot.export.atom import to_atom
from bot.replies.naming import listed_titles
from store.records import Edition, Link
from tests.bot.export.editions import EDITIONS, MONDAY, edition, entry, folded
from tests.conftest import few_examples

# RFC 4151, section 2.1; the name before the comma is that of a host.
_TAG_URI = re.compile(
    r"tag:[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*,\d{4}(-\d\d(-\d\d)?)?:([\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*",
    re.ASCII,
)
_ATOM = "{http://www.w3.org/2005/Atom}"


def _read(feed: str) -> Any:
    """Read a feed as a news reader does, but let its HTML alone."""
    read = feedparser.parse(
        io.BytesIO(feed.encode()), sanitize_html=False, resolve_relative_uris=False
    )
    assert (read.bozo, read.version) == (False, "atom10")
    return read


@dataclass
class _Listed:
    """What a browser shows of a list: each paper's number, address, title and paragraphs."""

    number: str | None
    address: str | None = None
    title: str = ""
    paragraphs: list[str] = field(default_factory=list)


class _Page(HTMLParser):
    """Takes the HTML of an edition apart, as the standard library understands it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.papers: list[_Listed] = []
        self.overview: list[str] = []
        self.tags: set[str] = set()
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._open.append(tag)
        if tag == "li":
            self.papers.append(_Listed(dict(attrs).get("value")))
        elif tag == "a":
            self.papers[-1].address = dict(attrs)["href"]
        elif tag == "p":
            self._paragraphs.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1] == "p":
            self._paragraphs[-1] += data
        else:
            self.papers[-1].title += data

    @property
    def _paragraphs(self) -> list[str]:
        return self.papers[-1].paragraphs if self.papers else self.overview


def _check_all_comes_back(editions: list[Edition]) -> None:
    feed = to_atom(editions)
    for found, week in zip(_read(feed).entries, editions, strict=True):
        assert found.title == _mended(folded(week.title))
        assert found.author == week.source
        day = week.published_on or week.last_day
        assert found.updated == f"{day}T00:00:00Z"
        assert found.get("published") == (week.published_on and found.updated)
        address = web_address(week.url) if week.url else None
        assert [link.href for link in found.get("links", ())] == ([address] if address else [])
    for each, week in zip(_parsed(feed).findall(f"{_ATOM}entry"), editions, strict=True):
        _check_page(_Page(each.findtext(f"{_ATOM}content", "")), week)


def _mended(text: str) -> str:
    """Return what feedparser makes of a text that could be UTF-8 which was read as Latin-1."""
    try:
        return text.encode("iso-8859-1").decode()
    except UnicodeError:
        return text


def _parsed(feed: str) -> ET.Element:
    return ET.fromstring(feed)  # noqa: S314 - we wrote it ourselves


def _check_page(page: _Page, week: Edition) -> None:
    assert page.tags <= {"div", "ol", "ul", "li", "a", "b", "p"}
    assert " ".join(page.overview) == folded(week.overview)
    listed = [(paper.number, paper.address, paper.title) for paper in page.papers]
    assert listed == [
        (each.rank and str(each.rank), entry_url(each), folded(title))
        for each, title in zip(week.entries, listed_titles(week.entries), strict=True)
    ]
    summaries = [" ".join(paper.paragraphs) for paper in page.papers]
    assert summaries == [folded(each.summary) for each in week.entries]


@settings(max_examples=few_examples())
@given(EDITIONS)
def test_all_comes_back_from_a_reader(editions: list[Edition]) -> None:
    """Whatever the text, feedparser and an HTML parser give it back and find no tag in it."""
    _check_all_comes_back(editions)


def test_every_real_edition_comes_back(real_editions: list[Edition]) -> None:
    """The reader finds every real edition with all its papers and has nothing to complain of."""
    _check_all_comes_back(real_editions)


@settings(max_examples=few_examples())
@given(EDITIONS)
def test_the_feed_has_all_that_the_rfc_demands(editions: list[Edition]) -> None:
    """RFC 4287, 4.1: one id, one title, one instant, an author; ids are unique `tag:` URIs."""
    feed = _parsed(to_atom(editions))
    entries = feed.findall(f"{_ATOM}entry")
    assert feed.tag == f"{_ATOM}feed"
    for element in (feed, *entries):
        for name in ("id", "title", "updated", "author"):
            assert len(element.findall(f"{_ATOM}{name}")) == 1
    ids = [element.findtext(f"{_ATOM}id", "") for element in (feed, *entries)]
    assert all(_TAG_URI.fullmatch(each) for each in ids)
    assert len(set(ids)) == len(ids)
    instants = [each.findtext(f"{_ATOM}updated", "") for each in entries]
    assert feed.findtext(f"{_ATOM}updated") == max(instants, default="1970-01-01T00:00:00Z")


def test_an_edition_looks_like_this() -> None:
    """Papers are listed by rank under the overview, with a link where there is one."""
    week = edition(
        entry("Kites <big>", arxiv_id="2601.00001", summary="They fly.\n\nHigh & far."),
        entry("Gliders"),
        title="Top Papers & More (January 5-11)",
        published_on=date(2026, 1, 12),
        overview="A windy week.",
        url="https://kites.org/5?a=1&b=2",
    )
    assert to_atom([week]) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom">\n'
        "  <id>tag:broadsheet,2026:editions/dair</id>\n"
        "  <title>Broadsheet: papers of the week from dair</title>\n"
        "  <updated>2026-01-12T00:00:00Z</updated>\n"
        "  <author>\n"
        "    <name>Broadsheet</name>\n"
        "  </author>\n"
        "  <generator>Broadsheet</generator>\n"
        "  <entry>\n"
        "    <id>tag:broadsheet,2026:edition/dair/2026-01-05</id>\n"
        "    <title>Top Papers &amp; More (January 5-11)</title>\n"
        "    <updated>2026-01-12T00:00:00Z</updated>\n"
        "    <published>2026-01-12T00:00:00Z</published>\n"
        "    <author>\n"
        "      <name>dair</name>\n"
        "    </author>\n"
        '    <link rel="alternate" href="https://kites.org/5?a=1&amp;b=2" />\n'
        '    <content type="html">&lt;div&gt;&lt;p&gt;A windy week.&lt;/p&gt;&lt;ol&gt;'
        '&lt;li value="1"&gt;&lt;a href="https://arxiv.org/abs/2601.00001"&gt;'
        "Kites &amp;lt;big&amp;gt;&lt;/a&gt;&lt;p&gt;They fly.&lt;/p&gt;"
        "&lt;p&gt;High &amp;amp; far.&lt;/p&gt;&lt;/li&gt;"
        '&lt;li value="2"&gt;&lt;b&gt;Gliders&lt;/b&gt;&lt;/li&gt;'
        "&lt;/ol&gt;&lt;/div&gt;</content>\n"
        "  </entry>\n"
        "</feed>\n"
    )


def test_papers_without_rank_are_listed_with_bullets() -> None:
    """A review numbers nothing."""
    week = edition(entry("Kites"))
    review = replace(week, entries=(replace(week.entries[0], rank=None, episode="E31"),))
    [found] = _read(to_atom([review])).entries
    assert found.content[0].value == "<div><ul><li><b>Kites</b></li></ul></div>"


def test_the_feed_is_as_young_as_its_youngest_edition_and_names_its_sources() -> None:
    """Without a day of publication the last day counts."""
    older = edition(entry("Kites"), source="paperdive", first_day=MONDAY - timedelta(weeks=1))
    feed = _read(to_atom([edition(entry("Gliders")), older])).feed
    assert feed.updated == "2026-01-11T00:00:00Z"
    assert feed.title == "Broadsheet: papers of the week from dair, paperdive"


def test_no_address_runs_anything() -> None:
    """A link that is no web address is not written."""
    script = "javascript:alert(1)"
    week = edition(entry("Kites", links=(Link("Paper", script),)), url=script)
    assert "javascript" not in to_atom([week])
