"""A feed's XML: RSS 2.0 or Atom, refused unless it is whole, then taken apart into its posts.

The formats: https://www.rssboard.org/rss-specification, https://www.rfc-editor.org/rfc/rfc4287,
and `content:encoded` in https://www.rssboard.org/rss-profile#namespace-elements-content.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from xml.parsers import expat

from bot.domain.drafts import RawDocument
from bot.domain.untrusted_text import unescaped
from bot.errors import DocumentError, WrongShape

# What stands above the root of a document: its declaration, instructions, comments, a DTD.
_ROOT = re.compile(
    r"\s*+(?:<\?(?:[^?]|\?(?!>))*+\?>\s*+|<!--(?:[^-]|-(?!->))*+-->\s*+"
    r"|<!(?i:DOCTYPE)[^<>\[]*+(?:\[[^\]]*+\]\s*+)?>\s*+)*+<(?:[\w.-]+:)?+(?P<name>[\w.-]+)"
)
_POSTS = {"rss": "item", "feed": "entry"}
# XML allows no control but the tab and the ends of lines, https://www.w3.org/TR/xml/#charsets;
# editors paste the others unseen, and they say nothing.
_FORBIDDEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF])
_BREAKS_OFF = frozenset(
    {
        expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
    }
)
_LONGEST_NAME = 60
# Most are namespaces, on the outermost element. The library compares each with all before it.
_MOST_ATTRIBUTES = 200


@dataclass(frozen=True, slots=True)
class Post:
    """A post: where it begins, and what the feed says of it; `markup` is its body as HTML.

    `published_on` is the day in UTC, `None` where the feed gives none that can be read.
    """

    line: int
    title: str
    teaser: str
    url: str | None
    published_on: date | None
    markup: str

    @property
    def name(self) -> str:
        """What remarks call it: its title, shortened, and its day."""
        is_long = len(self.title) > _LONGEST_NAME
        title = f"{self.title[: _LONGEST_NAME - 1]}\u2026" if is_long else self.title
        day = f" of {self.published_on}" if self.published_on else ""
        return (f'the post "{title}"' if title else "a post without title") + day


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's title, blank where it has none, and its posts in its order."""

    title: str
    posts: tuple[Post, ...]


def is_feed(text: str) -> bool:
    """Tell a feed by its outermost element, `<rss>` or `<feed>`."""
    return _root(text) in _POSTS


def read_feed(document: RawDocument) -> Feed:
    """Read a feed.

    Raises:
        DocumentError: if it is none, breaks off, is not well-formed XML, declares entities, or has
            more attributes on a tag than any feed.
    """
    text = document.text.translate(_FORBIDDEN)
    root = _root(text)
    if root not in _POSTS:
        found = f"its outermost element is <{root}>" if root else "it has no element"
        raise WrongShape(f"{document.path} is no RSS or Atom feed: {found}.", _EXPECTED)
    lines = _lines_of_posts(document.path, text, _POSTS[root])
    return _taken_apart(document.path, text.lstrip(), lines)


def _root(text: str) -> str | None:
    match = _ROOT.match(text)
    return match["name"] if match else None


def _lines_of_posts(path: str, text: str, post: str) -> list[int]:
    """Return the line in which each post begins, having read the document to its end.

    The feed reader forgives what is missing, and half a feed would look like a whole one.
    """
    lines: list[int] = []
    parser = expat.ParserCreate("utf-8")
    above = text[: len(text) - len(text.lstrip())].count("\n")

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if len(attributes) > _MOST_ATTRIBUTES:
            raise DocumentError(
                f"{path} has a tag with more than {_MOST_ATTRIBUTES} attributes in line"
                f" {above + parser.CurrentLineNumber}.",
                _EXPECTED,
            )
        if name.rpartition(":")[2] == post:
            lines.append(above + parser.CurrentLineNumber)

    def refuse_entity(*_declared: object) -> None:
        raise DocumentError(
            f"{path} declares XML entities of its own, which no feed needs.", _EXPECTED
        )

    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(text.lstrip(), True)  # noqa: FBT003 - takes no keywords: this is the end
    except expat.ExpatError as error:
        raise _malformed(path, above, error) from error
    return lines


def _malformed(path: str, above: int, error: expat.ExpatError) -> DocumentError:
    line = above + error.lineno
    if error.code in _BREAKS_OFF:
        return DocumentError(f"{path} breaks off in line {line}.", "Import the whole feed.")
    problem = expat.ErrorString(error.code)
    return DocumentError(
        f"{path} is not well-formed XML: {problem} in line {line}.",
        "Fetch it again, or tell its publisher.",
    )


def _taken_apart(path: str, text: str, lines: Sequence[int]) -> Feed:
    """Take a feed apart with the library, which is imported by whoever reads a feed only."""
    import fastfeedparser  # type: ignore[import-untyped] # ships no types; `_post` checks

    try:
        parsed = fastfeedparser.parse(
            text, include_tags=False, include_media=False, include_enclosures=False
        )
    except ValueError as error:
        raise WrongShape(f"{path} is no RSS or Atom feed: it has no channel.", _EXPECTED) from (
            error
        )
    items = parsed["entries"]
    # What the library passed over shifts the count; the first line is then the best guess.
    begins = lines if len(lines) == len(items) else [1] * len(items)
    posts = (_post(item, line) for item, line in zip(items, begins, strict=True))
    return Feed(_one_line(parsed["feed"].get("title")), tuple(posts))


def _post(item: Mapping[str, Any], line: int) -> Post:
    return Post(
        line=line,
        title=_one_line(item.get("title")),
        teaser=_one_line(item.get("description")),
        url=_address(item.get("link")),
        published_on=_day(item.get("published")),
        markup=next(_bodies(item), ""),
    )


def _bodies(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield what may be a post's body as HTML: its content, else what describes it in RSS."""
    for content in item.get("content") or ():
        if content["value"].strip():
            is_text = content["type"] in {"text", "text/plain"}
            yield _as_html(content["value"]) if is_text else content["value"]
    if "content" in item:
        yield item.get("description") or ""


def _as_html(text: str) -> str:
    return "<br>".join(html.escape(line) for line in text.splitlines())


def _one_line(text: str | None) -> str:
    """Return a title as plain text; many feeds escape it twice."""
    return " ".join(unescaped(text or "").split())


def _address(link: str | None) -> str | None:
    return link if link and link.startswith(("https://", "http://")) else None


def _day(published: str | None) -> date | None:
    return datetime.fromisoformat(published).date() if published else None


_EXPECTED = "Expected is RSS 2.0 or Atom, with the posts in full; see docs/formats.md."
