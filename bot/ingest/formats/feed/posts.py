"""The posts of a feed, RSS or Atom, as its library reads them.

The library sees what `outline` has checked, and cut down to what a post is read by.
"""

import html
import html.entities
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from bot.domain.dates import find_day
from bot.domain.drafts import RawDocument
from bot.domain.untrusted_text import unescaped
from bot.domain.week_years import is_publication
from bot.errors import WrongShape
from bot.ingest.formats.feed.lines import page_address
from bot.ingest.formats.feed.outline import EXPECTED_FEED, FeedOutline, UndeclaredError

# Everything above the root of a document: its declaration, instructions, comments, a DTD.
_ABOVE = re.compile(
    r"\s*+(?:<\?(?:[^?]|\?(?!>))*+\?>\s*+|<!--(?:[^-]|-(?!->))*+-->\s*+"
    r"|<!(?i:DOCTYPE)[^<>\[]*+(?:\[[^\]]*+\]\s*+)?>\s*+)*+"
)
_ROOT = re.compile(r"<(?:[\w.-]+:)?+(?P<name>[\w.-]+)")
_PREFIX = re.compile(r"</?([A-Za-z_][\w.-]*):|\s([A-Za-z_][\w.-]*):[\w.-]+\s?=\s?[\"']")
_DECLARED = re.compile(r"\sxmlns:([\w.-]+)\s?=")
_POSTS = {"rss": "item", "feed": "entry", "RDF": "item"}
_JSON_FEED = re.compile(
    r"\s*\{(?=.{0,2000}\"version\"\s?:\s?\"https?:(?:\\?/){2}jsonfeed\.org)", re.DOTALL
)
_ENTITY = re.compile(r"&([A-Za-z]{2,31}\d{0,2};)")
_OF_XML = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})

# XML allows no control but the tab and the ends of lines, https://www.w3.org/TR/xml/#charsets;
# editors paste the others by mistake.
_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])
_LONGEST_NAME = 60
_LONGEST_DATE = 100
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class FeedPost:
    """A post and its first line; `markup` is its body as HTML, `base` what its links begin with.

    `published_on` is the day in UTC, `None` where the feed gives none that can be one.
    """

    line: int
    title: str
    teaser: str
    url: str | None
    published_on: date | None
    markup: str
    base: str

    @property
    def name(self) -> str:
        """The post's name in notes: its title, shortened, and its day."""
        is_long = len(self.title) > _LONGEST_NAME
        title = f"{self.title[: _LONGEST_NAME - 1]}\u2026" if is_long else self.title
        day = f" of {self.published_on}" if self.published_on else ""
        return (f'the post "{title}"' if title else "a post without title") + day


def root_is_feed(text: str) -> bool:
    """Tell a feed by its outermost element, `<rss>`, `<feed>` or `<RDF>`, or as a JSON Feed."""
    return _root(text) in _POSTS or _JSON_FEED.match(text) is not None


def read_feed(document: RawDocument, today: date) -> tuple[str, list[FeedPost]]:
    """Return a feed's title, blank where it has none, and its posts in its order.

    What is no day of publication on a day, `today`, is none of a post.

    Raises:
        DocumentError: where it is no feed, or breaks off.
    """
    import feedparser  # type: ignore[import-untyped] # ships no types; `_post` checks

    path, text = document.path, document.text.translate(_FORBIDDEN)
    root = _root(text)
    if _JSON_FEED.match(text):
        remedy = "Take the RSS or Atom feed that its site has beside it."
        raise WrongShape(f"{path} is a JSON Feed, which Broadsheet does not read.", remedy)
    if root not in _POSTS:
        found = f"its outermost element is <{root}>" if root else "it has no element"
        raise WrongShape(f"{path} is no RSS or Atom feed: {found}.", EXPECTED_FEED)
    try:
        outline = FeedOutline(path, text, _above(text), _POSTS[root])
    except UndeclaredError:
        text = _with_prefixes(_without_entities(text))
        outline = FeedOutline(path, text, _above(text), _POSTS[root])
    if root == "rss" and not outline.has_channel:
        raise WrongShape(f"{path} is no RSS or Atom feed: it has no channel.", EXPECTED_FEED)
    parsed = feedparser.parse(
        io.BytesIO(outline.cut_down()), sanitize_html=False, resolve_relative_uris=False
    )
    feed, items = parsed["feed"], parsed["entries"]
    # A post within a post shifts the count; the first line is then the best guess.
    begins = outline.lines if len(outline.lines) == len(items) else [1] * len(items)
    address = page_address(path) or page_address(feed.get("link") or "") or ""
    is_atom = root == "feed"
    posts = [
        _post(item, line, address, today, is_atom=is_atom)
        for item, line in zip(items, begins, strict=True)
    ]
    return _title(feed), posts


def _without_entities(text: str) -> str:
    """Return a feed with the signs that entities of HTML stand for, which XML does not know."""

    def sign(found: re.Match[str]) -> str:
        known = found[1] not in _OF_XML and html.entities.html5.get(found[1])
        return "".join(f"&#{ord(each)};" for each in known) if known else found[0]

    return _ENTITY.sub(sign, text)


def _with_prefixes(text: str) -> str:
    """Return a feed whose root declares the prefixes that nothing declares, as feeds leave out."""
    used = {first or second for first, second in _PREFIX.findall(text)}
    missing = used - set(_DECLARED.findall(text)) - {"xml", "xmlns"}
    declared = "".join(f' xmlns:{each}="urn:undeclared:{each}"' for each in sorted(missing))
    root = _ROOT.match(text, _above(text))
    return text[: root.end()] + declared + text[root.end() :] if root else text


def _root(text: str) -> str | None:
    match = _ROOT.match(text, _above(text))
    return match["name"] if match else None


def _above(text: str) -> int:
    found = _ABOVE.match(text)
    return found.end() if found else 0


def _post(item: dict[str, Any], line: int, address: str, today: date, *, is_atom: bool) -> FeedPost:
    contents = [each for each in item.get("content") or () if each["value"].strip()]
    # The library's own look-up would give one date for another.
    teaser = dict.get(item, "summary") or ""
    is_content = any(each["value"] == teaser for each in contents)
    link = dict.get(item, "link") or ""
    is_guid = item.get("guidislink") and link == dict.get(item, "id")
    url = page_address(link, "" if is_guid else address)
    detail = dict.get(item, "summary_detail") or {}
    bases = [each.get("base") for each in [*contents, detail]]
    base = next(filter(None, bases), "")
    bodies = [_markup(each) for each in contents]
    bodies += [] if is_atom else [teaser]
    return FeedPost(
        line=line,
        title=_title(item),
        teaser="" if is_content else _one_line(teaser),
        url=url,
        published_on=_published_on(item, today),
        markup=next(filter(str.strip, bodies), ""),
        base=(page_address(base, address) if base else None) or url or address,
    )


def _published_on(item: dict[str, Any], today: date) -> date | None:
    """Return the day of an item, in UTC: the first of its elements for dates that can be one.

    The library for feeds makes some day of whatever has numbers, so an element has to state it.
    """
    for name in ("published", "updated", "created"):
        stated = " ".join((dict.get(item, name) or "")[:_LONGEST_DATE].split())
        day = _in_utc(find_day(stated), dict.get(item, f"{name}_parsed"))
        if is_publication(day, today):
            return day
    return None


def _in_utc(stated: date | None, parsed: Sequence[int] | None) -> date | None:
    """Return a stated day as the library moved it to UTC, which is a day at most."""
    if stated is None or parsed is None:
        return stated
    try:
        moved = date(*parsed[:3])
    except ValueError:
        return stated
    return moved if abs(moved - stated) <= timedelta(days=1) else stated


def _markup(content: Mapping[str, Any]) -> str:
    """Return a content as HTML."""
    value: str = content["value"]
    if content["type"] in {"text", "text/plain"}:
        return "<br>".join(map(html.escape, value.splitlines()))
    return value


def _title(of: Mapping[str, Any]) -> str:
    """Return the title of a feed or a post as plain text."""
    detail, title = of.get("title_detail") or {}, of.get("title") or ""
    is_markup = detail.get("type") == "application/xhtml+xml"
    return _one_line(_TAG.sub("", title) if is_markup else title)


def _one_line(text: str) -> str:
    """Return a text as plain text on one line; many feeds escape it twice."""
    return " ".join(unescaped(text).split())
