"""The feed: RSS or Atom, whose posts hold a ranked newsletter's round-ups as HTML.

Each round-up is an edition, read by the newsletter's rules; other posts are passed over. The
rules: `docs/formats.md`. The formats: https://www.rssboard.org/rss-specification,
https://www.rfc-editor.org/rfc/rfc4287, and `content:encoded` in
https://www.rssboard.org/rss-profile#namespace-elements-content.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    Format,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
)
from bot.domain.week_years import YearEvidence, resolve_week
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.feed.lines import read_lines
from bot.ingest.formats.feed.posts import FeedPost, read_feed, root_is_feed
from bot.ingest.formats.newsletter.edition import (
    EditionReading,
    bracketed_days,
    find_heading,
    read_edition,
    source_of,
)
from bot.ingest.formats.newsletter.lines import Line
from bot.ingest.formats.slugs import source_slug

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
class _RoundUp:
    """A round-up in a post, as read and as an edition."""

    post: FeedPost
    reading: EditionReading
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
    title, posts = read_feed(document, options.today)
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
    """Tell a feed, also one that can't be read."""
    return root_is_feed(text)


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


def _read_post(publication: str, post: FeedPost, options: ParseOptions) -> _Finding:
    """Read a post of a publication's feed by the rules of a newsletter."""
    if post.markup.count("<") > _MOST_TAGS:
        return _left_out(post, f"it has more than {_MOST_TAGS:,} tags")
    lines, furniture = read_lines(post.markup, post.base)
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


def _left_out(post: FeedPost, reason: str) -> _Finding:
    """Warn of a post that looks like a round-up and is none."""
    return _Finding(warnings=(Note(post.line, f"{post.name} is left out: {reason}"),))


def _edition(post: FeedPost, reading: EditionReading, options: ParseOptions) -> EditionDraft | None:
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


def _heading(post: FeedPost, lines: Sequence[Line]) -> Line | None:
    """Find the heading: a week in brackets in the post, else in its title, else in its teaser.

    A week without brackets makes no heading here: posts of other kinds have such titles.
    """
    title, teaser = Line.read(_TITLE, post.title), Line.read(_TITLE, post.teaser)
    for line in (find_heading(lines), title, teaser):
        if line and line.rank is None and bracketed_days(line.text):
            return line
    return None


def _flaw(post: FeedPost, reading: EditionReading) -> str | None:
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


def _placed(post: FeedPost, note: Note) -> Note:
    """Return a note that names the post and its line, at the post's line in the feed."""
    return Note(post.line, f"{post.name}, line {note.line} as read: {note.text}")
