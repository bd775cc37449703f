"""The entries of one edition of a newsletter, line by line."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.newsletter.lines import Line, Numbering, Turn
from store.records import Highlight, Link


@dataclass(frozen=True, slots=True)
class Body:
    """What the lines of one edition hold; `above` are those over the first entry."""

    above: tuple[Line, ...]
    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]
    passed_over: tuple[Note, ...]


@dataclass(slots=True)
class _Growing:
    """An entry that lines are still added to."""

    line: int
    rank: int
    title: str
    summary: str | None = None
    highlights: list[Highlight] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def take(self, line: Line) -> bool:
        """Add a line, and tell whether it found a place."""
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

    def finished(self) -> EntryDraft:
        """Return the entry as it stands."""
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
        reader.take(index, line)
    return reader.finished()


class _Reader:
    """Where reading stands: the entry, an advertisement, or lines that belong nowhere."""

    def __init__(self, lines: Sequence[Line], heading: Line) -> None:
        self._lines = lines
        self._heading = heading
        self._numbering = Numbering([line for line in lines if line.number > heading.number])
        self._first = sum(line.number <= heading.number for line in lines)
        self._entry: _Growing | None = None
        self._in_sponsor = False
        self._stray: Line | None = None
        self._above: list[Line] = []
        self._entries: list[EntryDraft] = []
        self._warnings: list[Note] = []
        self._passed_over: list[Note] = []

    def take(self, index: int, line: Line) -> None:
        """Put one line where it belongs."""
        if line is self._heading:
            self._in_sponsor = False
            self._above.append(line)
            return
        turn = self._judge(index)
        if turn is Turn.ENTRY and line.rank is not None:
            self._open(line, line.rank)
            return
        if turn is Turn.DOUBTFUL and (self._in_sponsor or self._entry):
            self._warn(line, f"numbered {line.rank}, but entry {line.rank} comes later")
        self._take_text(index, line)

    def finished(self) -> Body:
        """Close the last entry and return all."""
        self._close()
        return Body(
            tuple(self._above),
            tuple(self._entries),
            tuple(self._warnings),
            tuple(self._passed_over),
        )

    def _judge(self, index: int) -> Turn:
        if index < self._first:
            return Turn.TEXT
        expected = self._entry.rank + 1 if self._entry else 1
        return self._numbering.judge(index - self._first, expected, in_sponsor=self._in_sponsor)

    def _open(self, line: Line, rank: int) -> None:
        first_expected = self._entry.rank + 1 if self._entry else 1
        self._close()
        for missing in range(first_expected, rank):
            self._warn(line, f"rank {missing} is missing")
        self._entry = _Growing(line.number, rank, line.title, links=list(line.links))
        self._in_sponsor, self._stray = False, None

    def _close(self) -> None:
        if self._entry is None:
            return
        self._entries.append(self._entry.finished())
        if self._entry.summary is None:
            note = Note(self._entry.line, f"entry {self._entry.rank} has no summary")
            self._warnings.append(note)

    def _take_text(self, index: int, line: Line) -> None:
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
            self._take_entry_line(self._entry, index, line)

    def _take_entry_line(self, entry: _Growing, index: int, line: Line) -> None:
        if self._stray is None and entry.summary and self._looks_misnumbered(index):
            self._stray = line
            self._warn(line, f"numbered {line.rank} out of turn, left out: {line.quoted}")
        elif self._stray is not None:
            self._warn(line, f"left out with line {self._stray.number}, which is out of turn")
        elif not entry.take(line):
            self._warn(line, f"not understood, left out of entry {entry.rank}: {line.quoted}")

    def _looks_misnumbered(self, index: int) -> bool:
        return self._numbering.looks_like_entry(index - self._first)

    def _warn(self, line: Line, text: str) -> None:
        self._warnings.append(Note(line.number, text))
