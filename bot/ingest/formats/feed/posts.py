"""The posts of a feed, RSS 2.0 or Atom, and the round-ups in them.

The formats: https://www.rssboard.org/rss-specification, https://www.rfc-editor.org/rfc/rfc4287,
and `content:encoded` in https://www.rssboard.org/rss-profile#namespace-elements-content.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from xml.parsers import expat

from bot.domain.drafts import EntryDraft, Note, RawDocument
from bot.domain.untrusted_text import unescaped
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.feed.lines import read_lines
from bot.ingest.formats.newsletter.entries import Reading, read_edition
from bot.ingest.formats.newsletter.head import Head, bracketed_week, find_heading
from bot.ingest.formats.newsletter.lines import Line

# Everything above the root of a document: its declaration, instructions, comments, a DTD.
_ROOT = re.compile(
    r"\s*+(?:<\?(?:[^?]|\?(?!>))*+\?>\s*+|<!--(?:[^-]|-(?!->))*+-->\s*+"
    r"|<!(?i:DOCTYPE)[^<>\[]*+(?:\[[^\]]*+\]\s*+)?>\s*+)*+<(?:[\w.-]+:)?+(?P<name>[\w.-]+)"
)
_POSTS = {"rss": "item", "feed": "entry"}

# XML allows no control but the tab and the ends of lines, https://www.w3.org/TR/xml/#charsets;
# editors paste the others by mistake.
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
_EXPECTED = "Expected is RSS 2.0 or Atom, with the posts in full; see docs/formats.md."

# Round-ups have some 2,000; repairing HTML as browsers do takes the square of its elements.
_MOST_TAGS = 10_000
_READ_ON = ("read more", "read on", "continue reading", "keep reading")

# The numbers of the lines that the feed adds above a post's own lines, which count from 1.
_PUBLICATION, _TITLE = -1, 0


@dataclass(frozen=True, slots=True)
class Post:
    """A post and its first line; `markup` is its body as HTML.

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
        """The post's name in notes: its title, shortened, and its day."""
        is_long = len(self.title) > _LONGEST_NAME
        title = f"{self.title[: _LONGEST_NAME - 1]}\u2026" if is_long else self.title
        day = f" of {self.published_on}" if self.published_on else ""
        return (f'the post "{title}"' if title else "a post without title") + day


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's title, blank where it has none, and its posts in its order."""

    title: str
    posts: tuple[Post, ...]


@dataclass(frozen=True, slots=True)
class RoundUp:
    """A round-up in a post, with notes that name the post and count its lines."""

    head: Head
    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]
    passed_over: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class PostReading:
    """A round-up, or the reason why a post is none; `is_odd` if it looks like one."""

    round_up: RoundUp | None = None
    reason: str = ""
    is_odd: bool = False


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
    return _parse(document.path, text.lstrip(), lines)


def _root(text: str) -> str | None:
    match = _ROOT.match(text)
    return match["name"] if match else None


def _lines_of_posts(path: str, text: str, post: str) -> list[int]:
    """Return the line in which each post begins, after a check that the document is complete.

    The feed library accepts half a feed.
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


def _parse(path: str, text: str, lines: Sequence[int]) -> Feed:
    """Parse a feed with the library, which is imported when the first feed is read."""
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
    # A post that the library skips shifts the count; the first line is then the best guess.
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
    """Yield the candidates for a post's body as HTML: its content, else its description in RSS."""
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


def read_post(post: Post, publication: str) -> PostReading:
    """Read a post of a publication's feed by the rules of a newsletter."""
    if post.markup.count("<") > _MOST_TAGS:
        return PostReading(reason=f"is left out: it has more than {_MOST_TAGS:,} tags", is_odd=True)
    seen = read_lines(post.markup)
    heading = _heading(post, seen.lines)
    if heading is None:
        return PostReading(reason="is no round-up: no heading of it holds a week")
    top = [Line.read(_PUBLICATION, publication)]
    top += [heading] if heading.number == _TITLE else []
    reading = read_edition([*top, *seen.lines], heading)
    if reading is None:
        return PostReading(
            reason="is left out: it names a week and has no numbered entry", is_odd=True
        )
    if _is_preview(post, reading):
        return PostReading(reason="is left out: the feed has its beginning only", is_odd=True)
    if reading.is_short and not reading.ends_well:
        reason = f"is left out: it breaks off at entry {reading.last_rank}"
        return PostReading(reason=reason, is_odd=True)
    return PostReading(_round_up(post, reading, seen.furniture))


def _heading(post: Post, lines: Sequence[Line]) -> Line | None:
    """Find the heading: a week in brackets in the post, else in its title, else in its teaser.

    A week without brackets makes no heading here: posts of other kinds have such titles.
    """
    title, teaser = Line.read(_TITLE, post.title), Line.read(_TITLE, post.teaser)
    for line in (find_heading(lines), title, teaser):
        if line and line.rank is None and bracketed_week(line.text):
            return line
    return None


def _is_preview(post: Post, reading: Reading) -> bool:
    """Tell a post whose rest is for subscribers: it ends with a link to itself.

    A complete post may end so too, with "View in browser", but not with "Read on".
    """
    links = reading.last.links if reading.last.only_links else ()
    return any(
        _page(link.url) == _page(post.url or "")
        and (reading.is_short or link.label.casefold().startswith(_READ_ON))
        for link in links
    )


def _page(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rstrip("/")


def _round_up(post: Post, reading: Reading, furniture: Sequence[str]) -> RoundUp:
    warnings = [_placed(post, note) for note in reading.warnings]
    if post.published_on is None:
        text = f"{post.name} has no day of publication that can be read"
        warnings.insert(0, Note(post.line, text))
    passed_over = [_placed(post, note) for note in reading.passed_over if note.line > _TITLE]
    passed_over += [Note(post.line, f"{post.name}: {what}") for what in furniture]
    return RoundUp(
        head=reading.head,
        entries=tuple(replace(entry, line=post.line) for entry in reading.body.entries),
        warnings=tuple(warnings),
        passed_over=tuple(passed_over),
    )


def _placed(post: Post, note: Note) -> Note:
    """Return a note that names the post and its line, at the post's line in the feed."""
    return Note(post.line, f"{post.name}, line {note.line} as read: {note.text}")
