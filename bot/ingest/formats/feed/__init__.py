"""The feed: RSS 2.0 or Atom, whose posts hold a ranked newsletter's round-ups as HTML.

Each round-up is an edition, read by the newsletter's rules; other posts are passed over. The
rules: `docs/formats.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
from bot.domain.week_phrases import YearEvidence, resolve_week
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.feed.posts import Feed, Post, RoundUp, is_feed, read_feed, read_post
from bot.ingest.formats.newsletter.head import source_of
from bot.ingest.formats.slugs import source_slug


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Parse a feed: one edition a round-up, in the feed's order.

    The slug is that of the feed's title, else the one that the newest round-up gives.

    Raises:
        DocumentError: where it is no feed, breaks off, or holds no round-up.
    """
    feed = read_feed(document)
    findings = [_read(feed, post, options) for post in feed.posts]
    kept, again = _each_week_once([finding.edition for finding in findings if finding.edition])
    if not kept:
        raise _nothing_found(document, feed, findings)
    slug, title = _source(feed, kept[0].round_up)
    return ParsedDocument(
        kind=DocumentKind.FEED,
        slug=slug,
        source_title=title,
        editions=tuple(found.edition for found in kept),
        warnings=(*again, *(note for finding in findings for note in finding.warnings)),
        passed_over=tuple(note for finding in findings for note in finding.passed_over),
    )


FORMAT = Format(kind=DocumentKind.FEED, recognise=is_feed, parse=parse)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An edition, and the post and the round-up that it was made of."""

    post: Post
    round_up: RoundUp
    edition: EditionDraft


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result of reading a post."""

    edition: _Kept | None = None
    warnings: tuple[Note, ...] = ()
    passed_over: tuple[Note, ...] = ()


def _read(feed: Feed, post: Post, options: ParseOptions) -> _Finding:
    found = read_post(post, feed.title)
    if found.round_up is None:
        note = (Note(post.line, f"{post.name} {found.reason}"),)
        return _Finding(warnings=note) if found.is_odd else _Finding(passed_over=note)
    edition = _edition(post, found.round_up, options)
    if edition is None:
        text = f"no year makes its heading a week: {found.round_up.head.heading.quoted}"
        return _Finding(warnings=(Note(post.line, f"{post.name} is left out: {text}"),))
    kept = _Kept(post, found.round_up, edition)
    return _Finding(kept, found.round_up.warnings, found.round_up.passed_over)


def _edition(post: Post, round_up: RoundUp, options: ParseOptions) -> EditionDraft | None:
    """Draft an edition; `None` where its days are no week in any year."""
    evidence = YearEvidence(options.today, option=options.year, published=post.published_on)
    week = resolve_week(round_up.head.week, evidence)
    if week is None:
        return None
    return EditionDraft(
        line=post.line,
        kind=DocumentKind.FEED,
        title=round_up.head.heading.text,
        first_day=week.first_day,
        last_day=week.last_day,
        year_rule=week.year_rule,
        published_on=post.published_on,
        url=post.url,
        entries=round_up.entries,
    )


def _each_week_once(found: Sequence[_Kept]) -> tuple[list[_Kept], list[Note]]:
    """Keep one edition a week: of most entries, then published last, then first in the feed."""
    best: dict[date, _Kept] = {}
    for edition in sorted(found, key=_weight, reverse=True):
        best.setdefault(edition.edition.first_day, edition)
    pairs = [(edition, best[edition.edition.first_day]) for edition in found]
    again = [
        Note(one.post.line, f"{one.post.name} is left out: {other.post.name} has the same week")
        for one, other in pairs
        if one is not other
    ]
    return [one for one, other in pairs if one is other], again


def _weight(found: _Kept) -> tuple[int, date]:
    return len(found.edition.entries), found.post.published_on or date.min


def _source(feed: Feed, newest: RoundUp) -> tuple[str, str]:
    return (source_slug(feed.title), feed.title) if feed.title else source_of(newest.head)


def _nothing_found(
    document: RawDocument, feed: Feed, findings: Sequence[_Finding]
) -> DocumentError:
    """Return the refusal of a feed without a round-up, with a post of it as an example."""
    if not findings:
        return WrongShape(f"{document.path} is a feed without posts.", _EXPECTED)
    notes = [note.text for finding in findings for note in finding.warnings]
    notes += [note.text for finding in findings for note in finding.passed_over]
    title = f', "{feed.title}",' if feed.title else ""
    return WrongShape(
        f"{document.path}{title} is a feed without a round-up; {notes[0]}.", _EXPECTED
    )


_EXPECTED = (
    "A round-up has a heading with its week, as in “Top Papers (January 5-11)”,"
    " and entries that start with their rank, as in “1. Title”."
)
