"""The feed: RSS 2.0 or Atom, whose posts hold a ranked newsletter's round-ups as HTML.

Each round-up is an edition, read by the newsletter's rules; other posts are passed over. The
rules: `docs/formats.md`. The formats: https://www.rssboard.org/rss-specification,
https://www.rfc-editor.org/rfc/rfc4287, and `content:encoded` in
https://www.rssboard.org/rss-profile#namespace-elements-content.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from xml.parsers import expat

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    Format,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
)
from bot.domain.untrusted_text import unescaped
from bot.domain.week_phrases import YearEvidence, resolve_week
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.feed.lines import read_lines
from bot.ingest.formats.newsletter.edition import (
    Reading,
    bracketed_week,
    find_heading,
    read_edition,
    source_of,
)
from bot.ingest.formats.newsletter.lines import Line
from bot.ingest.formats.slugs import source_slug

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
_EXPECTED_FEED = "Expected is RSS 2.0 or Atom, with the posts in full; see docs/formats.md."
_EXPECTED_ROUND_UP = (
    "A round-up has a heading with its week, as in “Top Papers (January 5-11)”,"
    " and entries that start with their rank, as in “1. Title”."
)

# Round-ups have some 2,000; repairing HTML as browsers do takes the square of its elements.
_MOST_TAGS = 10_000
_READ_ON = ("read more", "read on", "continue reading", "keep reading")

# The numbers of the lines that the feed adds above a post's own lines, which count from 1.
_PUBLICATION, _TITLE = -1, 0


@dataclass(frozen=True, slots=True)
class _Post:
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
class _RoundUp:
    """A round-up in a post, as read and as an edition."""

    post: _Post
    reading: Reading
    edition: EditionDraft


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of reading a post, with notes that name the post and count its lines."""

    round_up: _RoundUp | None = None
    warnings: tuple[Note, ...] = ()
    passed_over: tuple[Note, ...] = ()


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Parse a feed: one edition a round-up, in the feed's order.

    The slug is that of the feed's title, else the one that the newest round-up gives.

    Raises:
        DocumentError: where it is no feed, breaks off, or holds no round-up.
    """
    title, posts = _read_feed(document)
    findings = [_read_post(title, post, options) for post in posts]
    kept, again = _each_week_once([found.round_up for found in findings if found.round_up])
    if not kept:
        raise _nothing_found(document, title, findings)
    slug, source = (source_slug(title), title) if title else source_of(kept[0].reading)
    return ParsedDocument(
        kind=DocumentKind.FEED,
        slug=slug,
        source_title=source,
        editions=tuple(found.edition for found in kept),
        warnings=(*again, *(note for finding in findings for note in finding.warnings)),
        passed_over=tuple(note for finding in findings for note in finding.passed_over),
    )


def is_feed(text: str) -> bool:
    """Tell a feed by its outermost element, `<rss>` or `<feed>`."""
    return _root(text) in _POSTS


FORMAT = Format(kind=DocumentKind.FEED, recognise=is_feed, parse=parse)


def _nothing_found(
    document: RawDocument, title: str, findings: Sequence[_Finding]
) -> DocumentError:
    """Return the refusal of a feed without a round-up, with a post of it as an example."""
    if not findings:
        return WrongShape(f"{document.path} is a feed without posts.", _EXPECTED_ROUND_UP)
    notes = [note.text for finding in findings for note in finding.warnings]
    notes += [note.text for finding in findings for note in finding.passed_over]
    named = f', "{title}",' if title else ""
    return WrongShape(
        f"{document.path}{named} is a feed without a round-up; {notes[0]}.", _EXPECTED_ROUND_UP
    )


def _each_week_once(found: Sequence[_RoundUp]) -> tuple[list[_RoundUp], list[Note]]:
    """Keep one edition a week: of most entries, then published last, then first in the feed."""
    best: dict[date, _RoundUp] = {}
    for round_up in sorted(
        found,
        key=lambda one: (len(one.edition.entries), one.post.published_on or date.min),
        reverse=True,
    ):
        best.setdefault(round_up.edition.first_day, round_up)
    pairs = [(round_up, best[round_up.edition.first_day]) for round_up in found]
    again = [
        Note(one.post.line, f"{one.post.name} is left out: {other.post.name} has the same week")
        for one, other in pairs
        if one is not other
    ]
    return [one for one, other in pairs if one is other], again


def _read_feed(document: RawDocument) -> tuple[str, list[_Post]]:
    """Return a feed's title, blank where it has none, and its posts in its order."""
    import fastfeedparser  # type: ignore[import-untyped] # ships no types; `_post` checks

    path, text = document.path, document.text.translate(_FORBIDDEN)
    root = _root(text)
    if root not in _POSTS:
        found = f"its outermost element is <{root}>" if root else "it has no element"
        raise WrongShape(f"{path} is no RSS or Atom feed: {found}.", _EXPECTED_FEED)
    lines = _lines_of_posts(path, text, _POSTS[root])
    try:
        parsed = fastfeedparser.parse(
            text.lstrip(), include_tags=False, include_media=False, include_enclosures=False
        )
    except ValueError as error:
        sentence = f"{path} is no RSS or Atom feed: it has no channel."
        raise WrongShape(sentence, _EXPECTED_FEED) from error
    items = parsed["entries"]
    # A post that the library skips shifts the count; the first line is then the best guess.
    begins = lines if len(lines) == len(items) else [1] * len(items)
    posts = [_post(item, line) for item, line in zip(items, begins, strict=True)]
    return _one_line(parsed["feed"].get("title")), posts


def _root(text: str) -> str | None:
    match = _ROOT.match(text)
    return match["name"] if match else None


def _lines_of_posts(path: str, text: str, post: str) -> list[int]:
    """Return the line in which each post begins; refuse half a feed, which the library reads."""
    lines: list[int] = []
    parser = expat.ParserCreate("utf-8")
    above = text[: len(text) - len(text.lstrip())].count("\n")

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if len(attributes) > _MOST_ATTRIBUTES:
            raise DocumentError(
                f"{path} has a tag with more than {_MOST_ATTRIBUTES} attributes in line"
                f" {above + parser.CurrentLineNumber}.",
                _EXPECTED_FEED,
            )
        if name.rpartition(":")[2] == post:
            lines.append(above + parser.CurrentLineNumber)

    def refuse_entity(*_declared: object) -> None:
        raise DocumentError(
            f"{path} declares XML entities of its own, which no feed needs.", _EXPECTED_FEED
        )

    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(text.lstrip(), True)  # noqa: FBT003 - takes no keywords: this is the end
    except expat.ExpatError as error:
        raise _malformed(path, above, error) from error
    return lines


def _malformed(path: str, above: int, error: expat.ExpatError) -> DocumentError:
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]:
        raise MemoryError from error
    line = above + error.lineno
    if error.code in _BREAKS_OFF:
        return DocumentError(f"{path} breaks off in line {line}.", "Import the whole feed.")
    problem = expat.ErrorString(error.code)
    return DocumentError(
        f"{path} is not well-formed XML: {problem} in line {line}.",
        "Fetch it again, or tell its publisher.",
    )


def _post(item: Mapping[str, Any], line: int) -> _Post:
    link, day = item.get("link"), item.get("published")
    return _Post(
        line=line,
        title=_one_line(item.get("title")),
        teaser=_one_line(item.get("description")),
        url=link if link and link.startswith(("https://", "http://")) else None,
        published_on=datetime.fromisoformat(day).date() if day else None,
        markup=next(_bodies(item), ""),
    )


def _bodies(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield the candidates for a post's body as HTML: its content, else its description in RSS."""
    for content in item.get("content") or ():
        if content["value"].strip():
            is_text = content["type"] in {"text", "text/plain"}
            escaped = map(html.escape, content["value"].splitlines())
            yield "<br>".join(escaped) if is_text else content["value"]
    if "content" in item:
        yield item.get("description") or ""


def _one_line(text: str | None) -> str:
    """Return a title as plain text; many feeds escape it twice."""
    return " ".join(unescaped(text or "").split())


def _read_post(publication: str, post: _Post, options: ParseOptions) -> _Finding:
    """Read a post of a publication's feed by the rules of a newsletter."""
    if post.markup.count("<") > _MOST_TAGS:
        return _left_out(post, f"it has more than {_MOST_TAGS:,} tags")
    lines, furniture = read_lines(post.markup)
    heading = _heading(post, lines)
    if heading is None:
        reason = f"{post.name} is no round-up: no heading of it holds a week"
        return _Finding(passed_over=(Note(post.line, reason),))
    top = [Line.read(_PUBLICATION, publication)]
    top += [heading] if heading.number == _TITLE else []
    reading = read_edition([*top, *lines], heading)
    if reading is None:
        return _left_out(post, "it names a week and has no numbered entry")
    if flaw := _flaw(post, reading):
        return _left_out(post, flaw)
    edition = _edition(post, reading, options)
    if edition is None:
        return _left_out(post, f"no year makes its heading a week: {heading.quoted}")
    warnings = [_placed(post, note) for note in reading.warnings]
    if post.published_on is None:
        text = f"{post.name} has no day of publication that can be read"
        warnings.insert(0, Note(post.line, text))
    passed_over = [_placed(post, note) for note in reading.passed_over if note.line > _TITLE]
    passed_over += [Note(post.line, f"{post.name}: {what}") for what in furniture]
    round_up = _RoundUp(post, reading, edition)
    return _Finding(round_up, tuple(warnings), tuple(passed_over))


def _left_out(post: _Post, reason: str) -> _Finding:
    """Warn of a post that looks like a round-up and is none."""
    return _Finding(warnings=(Note(post.line, f"{post.name} is left out: {reason}"),))


def _edition(post: _Post, reading: Reading, options: ParseOptions) -> EditionDraft | None:
    """Draft an edition; `None` where its days are no week in any year."""
    evidence = YearEvidence(options.today, option=options.year, published=post.published_on)
    week = resolve_week(reading.week, evidence)
    if week is None:
        return None
    return EditionDraft(
        line=post.line,
        kind=DocumentKind.FEED,
        title=reading.heading.text,
        first_day=week.first_day,
        last_day=week.last_day,
        year_rule=week.year_rule,
        published_on=post.published_on,
        url=post.url,
        entries=tuple(replace(entry, line=post.line) for entry in reading.entries),
    )


def _heading(post: _Post, lines: Sequence[Line]) -> Line | None:
    """Find the heading: a week in brackets in the post, else in its title, else in its teaser.

    A week without brackets makes no heading here: posts of other kinds have such titles.
    """
    title, teaser = Line.read(_TITLE, post.title), Line.read(_TITLE, post.teaser)
    for line in (find_heading(lines), title, teaser):
        if line and line.rank is None and bracketed_week(line.text):
            return line
    return None


def _flaw(post: _Post, reading: Reading) -> str | None:
    """Return why a round-up is not whole.

    A post whose rest is for subscribers ends with a link to itself. A complete post may end so too,
    with "View in browser", but not with "Read on".
    """
    links = reading.last.links if reading.last.only_links else ()
    if any(
        _page(link.url) == _page(post.url or "")
        and (reading.is_short or link.label.casefold().startswith(_READ_ON))
        for link in links
    ):
        return "the feed has its beginning only"
    if reading.is_short and not reading.ends_well:
        return f"it breaks off at entry {reading.last_rank}"
    return None


def _page(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rstrip("/")


def _placed(post: _Post, note: Note) -> Note:
    """Return a note that names the post and its line, at the post's line in the feed."""
    return Note(post.line, f"{post.name}, line {note.line} as read: {note.text}")
