"""A post of a feed as a round-up, where it is one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.feed.lines import read_lines
from bot.ingest.formats.feed.posts import Post
from bot.ingest.formats.newsletter.head import Head, bracketed_week, find_heading
from bot.ingest.formats.newsletter.lines import Line
from bot.ingest.formats.newsletter.reading import Reading, read_edition

# Round-ups have some 2,000; browsers' way of mending HTML takes the square of its elements.
_MOST_TAGS = 10_000

_READ_ON = ("read more", "read on", "continue reading", "keep reading")

# Above the post's own lines, which count from 1, stand those that the feed gives it.
_PUBLICATION, _TITLE = -1, 0


@dataclass(frozen=True, slots=True)
class RoundUp:
    """A round-up in a post, with remarks that name the post and count its lines."""

    head: Head
    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]
    passed_over: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A round-up, or the reason why a post gives none; `is_odd` if it looks like one."""

    round_up: RoundUp | None = None
    reason: str = ""
    is_odd: bool = False


def read_post(post: Post, publication: str) -> Found:
    """Read a post of a publication's feed as a newsletter is read."""
    if post.markup.count("<") > _MOST_TAGS:
        return Found(reason=f"is left out: it has more than {_MOST_TAGS:,} tags", is_odd=True)
    seen = read_lines(post.markup)
    heading = _heading(post, seen.lines)
    if heading is None:
        return Found(reason="is no round-up: no heading of it holds a week")
    top = [Line.read(_PUBLICATION, publication)]
    top += [heading] if heading.number == _TITLE else []
    reading = read_edition([*top, *seen.lines], heading)
    if reading is None:
        return Found(reason="is left out: it names a week and has no numbered entry", is_odd=True)
    if _is_preview(post, reading):
        return Found(reason="is left out: the feed has its beginning only", is_odd=True)
    if reading.is_short and not reading.ends_well:
        reason = f"is left out: it breaks off at entry {reading.last_rank}"
        return Found(reason=reason, is_odd=True)
    return Found(_round_up(post, reading, seen.furniture))


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

    A whole one may end so too, with "View in browser", but it does not say to read on.
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
    """Say which post, and which of its lines, a remark is about; the feed knows posts only."""
    return Note(post.line, f"{post.name}, line {note.line} as read: {note.text}")
