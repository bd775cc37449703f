"""The entries of one edition of a newsletter or of a feed's post, line by line."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.newsletter.head import Head, read_head
from bot.ingest.formats.newsletter.lines import Line, LineRole, Numbering
from store.records import Highlight, Link

_USUAL_ENTRIES = 10


@dataclass(frozen=True, slots=True)
class Body:
    """The entries and notes of one edition; `above` are the lines over the first entry."""

    above: tuple[Line, ...]
    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]
    passed_over: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The head and the body of one edition, which has an entry; `last` is the last line."""

    head: Head
    body: Body
    last: Line

    @property
    def last_rank(self) -> int:
        """The rank of the last entry."""
        return self.body.entries[-1].rank or 0

    @property
    def is_short(self) -> bool:
        """True if it has fewer entries than usual."""
        return self.last_rank < _USUAL_ENTRIES

    @property
    def ends_well(self) -> bool:
        """True if it ends with a sentence, in an entry that has a summary."""
        return self.last.ends_sentence and self.body.entries[-1].summary is not None

    @property
    def warnings(self) -> list[Note]:
        """The notes on lines that were not understood or are odd, in the order of the lines."""
        left_out = [
            Note(line.number, f"not understood, left out above the first entry: {line.quoted}")
            for line in self.head.others
        ]
        ends_early = Note(
            self.last.number,
            f"ends after entry {self.last_rank}; this newsletter usually has ten",
        )
        return sorted(
            [*left_out, *self.body.warnings, *([ends_early] if self.is_short else [])],
            key=lambda note: note.line,
        )

    @property
    def passed_over(self) -> list[Note]:
        """The notes on lines without a fact to store, in the order of the lines."""
        head = self.head
        known = [(head.publication, "names the publication"), (head.dated, "dates the publication")]
        notes = [Note(line.number, text) for line, text in known if line]
        again = [Note(line.number, "prints the week again") for line in head.again]
        return sorted([*notes, *again, *self.body.passed_over], key=lambda note: note.line)


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
        return EntryDraft(
            line=self.line,
            title=self.title,
            rank=self.rank,
            summary=self.summary,
            highlights=tuple(self.highlights),
            links=tuple(self.links),
        )


def read_body(lines: Sequence[Line], heading: Line) -> Body:
    """Read the lines of one edition; entries are looked for below the heading only."""
    reader = _Reader(lines, heading)
    for index, line in enumerate(lines):
        reader.read(index, line)
    return reader.finish()


class _Reader:
    """The state of reading: in an entry, in an advertisement, or behind a stray line."""

    def __init__(self, lines: Sequence[Line], heading: Line) -> None:
        self._lines = lines
        self._heading = heading
        self._numbering = Numbering([line for line in lines if line.number > heading.number])
        self._first = sum(line.number <= heading.number for line in lines)
        self._entry: _EntryBuilder | None = None
        self._in_sponsor = False
        self._stray: Line | None = None
        self._above: list[Line] = []
        self._entries: list[EntryDraft] = []
        self._warnings: list[Note] = []
        self._passed_over: list[Note] = []

    def read(self, index: int, line: Line) -> None:
        """Read the next line."""
        if line is self._heading:
            self._in_sponsor = False
            self._above.append(line)
            return
        role = self._role(index)
        if role is LineRole.ENTRY and line.rank is not None:
            self._open(line, line.rank)
            return
        if role is LineRole.DOUBTFUL and (self._in_sponsor or self._entry):
            self._warn(line, f"numbered {line.rank}, but entry {line.rank} comes later")
        self._read_text(index, line)

    def finish(self) -> Body:
        """Close the last entry and return the body."""
        self._close()
        return Body(
            tuple(self._above),
            tuple(self._entries),
            tuple(self._warnings),
            tuple(self._passed_over),
        )

    def _role(self, index: int) -> LineRole:
        if index < self._first:
            return LineRole.TEXT
        expected = self._entry.rank + 1 if self._entry else 1
        return self._numbering.role(index - self._first, expected, in_sponsor=self._in_sponsor)

    def _open(self, line: Line, rank: int) -> None:
        first_expected = self._entry.rank + 1 if self._entry else 1
        self._close()
        for missing in range(first_expected, rank):
            self._warn(line, f"rank {missing} is missing")
        self._entry = _EntryBuilder(line.number, rank, line.title, links=list(line.links))
        self._in_sponsor, self._stray = False, None

    def _close(self) -> None:
        if self._entry is None:
            return
        self._entries.append(self._entry.build())
        if self._entry.summary is None:
            note = Note(self._entry.line, f"entry {self._entry.rank} has no summary")
            self._warnings.append(note)

    def _read_text(self, index: int, line: Line) -> None:
        if self._in_sponsor or line.opens_sponsor:
            self._in_sponsor = True
            self._passed_over.append(Note(line.number, "advertisement"))
        elif line.is_wordless:
            self._passed_over.append(Note(line.number, "holds no words"))
        elif index and line.repeats(self._lines[index - 1]):
            self._warn(line, f"repeats line {self._lines[index - 1].number}")
        elif self._entry is None:
            self._above.append(line)
        elif line.is_labels:
            self._passed_over.append(Note(line.number, "names links, whose addresses are lost"))
        else:
            self._read_entry_line(self._entry, index, line)

    def _read_entry_line(self, entry: _EntryBuilder, index: int, line: Line) -> None:
        if self._stray is None and entry.summary and self._looks_misnumbered(index):
            self._stray = line
            self._warn(line, f"numbered {line.rank} out of order, left out: {line.quoted}")
        elif self._stray is not None:
            self._warn(line, f"left out with line {self._stray.number}, which is out of order")
        elif not entry.add(line):
            self._warn(line, f"not understood, left out of entry {entry.rank}: {line.quoted}")

    def _looks_misnumbered(self, index: int) -> bool:
        return self._numbering.looks_like_entry(index - self._first)

    def _warn(self, line: Line, text: str) -> None:
        self._warnings.append(Note(line.number, text))


def read_edition(lines: Sequence[Line], heading: Line) -> Reading | None:
    """Read the lines of one edition; `None` where no entry is below its heading."""
    body = read_body(lines, heading)
    if not body.entries:
        return None
    return Reading(read_head(body.above, heading), body, lines[-1])
