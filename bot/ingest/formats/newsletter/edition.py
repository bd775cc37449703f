"""One edition of a newsletter or of a feed's post: the lines above its entries, and the entries."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from bot.domain.dates import find_day, find_days, find_week
from bot.domain.dates.written_date import WrittenDate
from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.newsletter.lines import Line, LineRole, Numbering
from bot.ingest.formats.slugs import source_slug
from store.records import Highlight, Link

_USUAL_ENTRIES = 10
_HEAD_LINES = 10
_LONGEST_HEADING = 300
_LONGEST_DATE_LINE = 40
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_FRONT_SIGNS = re.compile(r"^[^\w(\[\"'\u201c\u2018]+")
_AROUND_RANGE = " \t-\u2013\u2014:,|\u00b7"
# In front there may be a medal, or the damaged rest of one.
_KNOWN_NAME = re.compile(
    r"\W*(?:[\u0161\u0111\u00f0\u011f]\W{1,2})?(?:the )?(top (?:ai|ml) papers of the week)\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class EditionReading:
    """One edition with at least one entry; `last` is its last line.

    `name` is the heading without its week, `publication` the line above it. `warnings` are notes on
    lines that were not understood or are odd, `passed_over` on lines without a fact to store, both
    in the order of the lines. `unread` is how many lines looked like entries and are none.
    """

    heading: Line
    week: WrittenDate
    name: str
    publication: Line | None
    published_on: date | None
    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]
    passed_over: tuple[Note, ...]
    last: Line
    unread: int = 0

    @property
    def last_rank(self) -> int:
        """The rank of the last entry."""
        return self.entries[-1].rank or 0

    @property
    def is_short(self) -> bool:
        """True if it has fewer entries than usual."""
        return self.last_rank < _USUAL_ENTRIES

    @property
    def ends_well(self) -> bool:
        """True if it ends with a sentence, in an entry that has a summary."""
        return self.last.ends_sentence and self.entries[-1].summary is not None


def read_edition(lines: Sequence[Line], heading: Line) -> EditionReading | None:
    """Read the lines of one edition; `None` where no entry is below its heading.

    The first line above the heading is the publication's name. A short line with a whole date is
    the day of publication.
    """
    reader = _Reader(lines, heading)
    for index, line in enumerate(lines):
        reader.read(index, line)
    week = _week(heading.text)
    if not reader.entries or week is None:
        return None
    above = reader.above
    names = above and above[0].number < heading.number and not _day(above[0])
    publication = above[0] if names else None
    dated = next((line for line in above if line is not publication and _day(line)), None)
    for line in above:
        if line is publication:
            reader.pass_over(line, "names the publication")
        elif line is dated:
            reader.pass_over(line, "dates the publication")
        elif _is_same_week(line, week):
            reader.pass_over(line, "prints the week again")
        else:
            reader.warn(line, f"not understood, left out above the first entry: {line.quoted}")
    reader.warnings += [
        Note(entry.line, f"entry {entry.rank} has no summary")
        for entry in reader.entries
        if entry.summary is None
    ]
    last, last_rank = lines[-1], reader.entries[-1].rank
    if last_rank < _USUAL_ENTRIES:
        reader.warn(last, f"ends after entry {last_rank}; this newsletter usually has ten")
    return EditionReading(
        heading=heading,
        week=week,
        name=_without_week(heading.text),
        publication=publication,
        published_on=_day(dated) if dated else None,
        entries=tuple(entry.build() for entry in reader.entries),
        warnings=_in_order(reader.warnings),
        passed_over=_in_order(reader.passed_over),
        last=last,
        unread=reader.unread,
    )


def _in_order(notes: Sequence[Note]) -> tuple[Note, ...]:
    return tuple(sorted(notes, key=lambda note: note.line))


@dataclass(slots=True)
class _EntryBuilder:
    """An entry that lines are added to."""

    line: int
    rank: int
    title: str
    summary: str | None = None
    highlights: list[Highlight] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def add(self, line: Line) -> bool:
        """Add a line; return whether it is part of an entry."""
        if not line.only_links:
            if self.summary is None:
                self.summary = line.text
            elif highlight := line.split_lead():
                self.highlights.append(highlight)
            elif line.marked:
                self.highlights.append(Highlight(None, line.text))
            else:
                return False
        self.links.extend(line.links)
        return True

    def build(self) -> EntryDraft:
        """Return the entry."""
        highlights, links = tuple(self.highlights), tuple(self.links)
        return EntryDraft(
            self.line, self.title, self.rank, None, self.summary, highlights, links=links
        )


class _Reader:
    """The state of reading: in an entry, in an advertisement, or behind a stray line."""

    def __init__(self, lines: Sequence[Line], heading: Line) -> None:
        self._lines = lines
        self._heading = heading
        self._numbering = Numbering([line for line in lines if line.number > heading.number])
        self._first = sum(line.number <= heading.number for line in lines)
        self._in_sponsor = False
        self._stray: Line | None = None
        self.above: list[Line] = []
        self.entries: list[_EntryBuilder] = []
        self.warnings: list[Note] = []
        self.passed_over: list[Note] = []
        self.unread = 0

    def read(self, index: int, line: Line) -> None:
        """Read the next line."""
        if line is self._heading:
            self._in_sponsor = False
            return
        expected = self.entries[-1].rank + 1 if self.entries else 1
        role = self._role(index, expected)
        if role is LineRole.ENTRY and line.rank is not None:
            for missing in range(expected, line.rank):
                self.warn(line, f"rank {missing} is missing")
            entry = _EntryBuilder(line.number, line.rank, line.title, links=list(line.links))
            self.entries.append(entry)
            self._in_sponsor, self._stray = False, None
            return
        if role is LineRole.DOUBTFUL and (self._in_sponsor or self.entries):
            self.warn(line, f"numbered {line.rank}, but entry {line.rank} comes later")
        self._read_text(index, line)

    def _role(self, index: int, expected: int) -> LineRole:
        if index < self._first:
            return LineRole.TEXT
        return self._numbering.role(index - self._first, expected, in_sponsor=self._in_sponsor)

    def _read_text(self, index: int, line: Line) -> None:
        if self._in_sponsor or line.opens_sponsor:
            self._in_sponsor = True
            self.pass_over(line, "advertisement")
        elif line.is_wordless:
            self.pass_over(line, "holds no words")
        elif index and line.repeats(self._lines[index - 1]):
            self.warn(line, f"repeats line {self._lines[index - 1].number}")
        elif not self.entries:
            self.above.append(line)
        elif line.is_labels:
            self.pass_over(line, "names links, whose addresses are lost")
        else:
            self._read_entry_line(self.entries[-1], index, line)

    def _read_entry_line(self, entry: _EntryBuilder, index: int, line: Line) -> None:
        if self._stray is not None:
            self.unread += line.rank is not None
            self.warn(line, f"left out with line {self._stray.number}, which is out of order")
        elif entry.summary and self._numbering.looks_like_entry(index - self._first):
            self._stray = line
            self.unread += 1
            self.warn(line, f"numbered {line.rank} out of order, left out: {line.quoted}")
        elif not entry.add(line):
            self.warn(line, f"not understood, left out of entry {entry.rank}: {line.quoted}")
        elif line.marked and line.leads_to_paper:
            self.unread += 1
            self.warn(
                line, f"leads to a paper, kept as a part of entry {entry.rank}: {line.quoted}"
            )

    def warn(self, line: Line, text: str) -> None:
        """Note a line that was not understood or is odd."""
        self.warnings.append(Note(line.number, text))

    def pass_over(self, line: Line, text: str) -> None:
        """Note a line without a fact to store."""
        self.passed_over.append(Note(line.number, text))


def bracketed_days(text: str) -> re.Match[str] | None:
    """Find the brackets that hold a run of days in a line short enough for a heading."""
    return _brackets(text, find_days)


def bracketed_week(text: str) -> re.Match[str] | None:
    """Find the brackets that hold a run of days, else a week or a day, in such a line."""
    return _brackets(text, find_days) or _brackets(text, find_week)


def _brackets(text: str, find: Callable[[str], WrittenDate | None]) -> re.Match[str] | None:
    if len(text) > _LONGEST_HEADING:
        return None
    return next((match for match in _BRACKETS.finditer(text) if find(match[0])), None)


def find_heading(lines: Sequence[Line]) -> Line | None:
    """Find the heading: the first run of days in brackets near the top, else a bare one.

    It is above the entries; a list of contents may come before it, and then the numbering starts
    again below it. Without a run of days it is the first week or day in brackets.
    """
    first = next((i for i, line in enumerate(lines) if line.rank is not None), len(lines))
    above = [line for line in lines[:first] if len(line.text) <= _LONGEST_HEADING]
    bracketed = [line for line in above if bracketed_days(line.text)]
    bare = [line for line in above if find_days(line.text)]
    weeks = [line for line in above if bracketed_week(line.text)]
    return next(iter(bracketed or _below_contents(lines, first) or bare or weeks), None)


def _below_contents(lines: Sequence[Line], first: int) -> list[Line]:
    last_one = max((line.number for line in lines if line.rank == 1), default=0)
    return [
        line
        for line in lines[first:_HEAD_LINES]
        if line.rank is None and line.number < last_one and bracketed_days(line.text)
    ]


def source_of(reading: EditionReading) -> tuple[str, str]:
    """Return the slug and the title of the source.

    The publication's name gives both, unless the heading names the predefined source.
    """
    published_as = reading.publication.text if reading.publication else ""
    names = [name for name in (published_as, reading.name, reading.heading.text) if name]
    known = [match for name in names if (match := _KNOWN_NAME.fullmatch(name))]
    title = known[0][1] if known else _FRONT_SIGNS.sub("", names[0]) or names[0]
    return source_slug(title), title


def split_editions(lines: Sequence[Line]) -> list[Sequence[Line]]:
    """Split a file of several editions before each heading but the first.

    A heading that starts an edition is below an entry, has the words of the first heading around
    its week, and the next number behind it is 1.
    """
    first = find_heading(lines)
    if first is None:
        return [lines]
    name, ranks = _without_week(first.text), _ranks_behind(lines)
    top = next((index for index, line in enumerate(lines) if line.rank is not None), len(lines))
    starts = [
        # The publication's name may be repeated above the heading.
        index - (lines[index - 1].text == lines[0].text)
        for index, line in enumerate(lines)
        if index > top
        and line.number > first.number
        and ranks[index] == 1
        and bracketed_week(line.text)
        and _without_week(line.text) == name
    ]
    ends = [*starts, len(lines)]
    return [lines[start:end] for start, end in zip([0, *starts], ends, strict=True)]


def _ranks_behind(lines: Sequence[Line]) -> list[int | None]:
    """List for every line the number of the nearest numbered line behind it."""
    ranks: list[int | None] = []
    nearest: int | None = None
    for line in reversed(lines):
        ranks.append(nearest)
        nearest = line.rank if line.rank is not None else nearest
    return ranks[::-1]


def _week(text: str) -> WrittenDate | None:
    brackets = bracketed_week(text)
    return find_week(text[brackets.start() :]) if brackets else find_days(text)


def _is_same_week(line: Line, week: WrittenDate) -> bool:
    other = _week(line.text) if bracketed_week(line.text) else None
    return other is not None and (other.first, other.last) == (week.first, week.last)


def _without_week(text: str) -> str:
    brackets = bracketed_week(text)
    week = find_week(text) if brackets else find_days(text)
    if brackets is None or week is None:
        return text[: week.start].strip(_AROUND_RANGE) if week else text
    front = text[: brackets.start()].strip(_AROUND_RANGE)
    return front or text[max(brackets.end(), week.end) :].strip(_AROUND_RANGE)


def _day(line: Line) -> date | None:
    return find_day(line.text) if len(line.text) <= _LONGEST_DATE_LINE else None
