"""One edition of a round-up read whole, whether it came as a text or as a post of a feed."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.drafts import Note
from bot.ingest.formats.newsletter.entries import Body, read_body
from bot.ingest.formats.newsletter.head import Head, read_head
from bot.ingest.formats.newsletter.lines import Line

_USUAL_ENTRIES = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """What stands above the entries, and the entries, at least one; `last` is the last line."""

    head: Head
    body: Body
    last: Line

    @property
    def last_rank(self) -> int:
        """The rank of the last entry."""
        return self.body.entries[-1].rank or 0

    @property
    def is_short(self) -> bool:
        """Whether usual entries are lacking."""
        return self.last_rank < _USUAL_ENTRIES

    @property
    def ends_well(self) -> bool:
        """Whether it may end where it does: with a sentence, in an entry that has a summary."""
        return self.last.ends_sentence and self.body.entries[-1].summary is not None

    @property
    def warnings(self) -> list[Note]:
        """What was not understood or is odd, in the order of the lines."""
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
        """What was understood and holds no fact to keep, in the order of the lines."""
        head = self.head
        known = [(head.publication, "names the publication"), (head.dated, "dates the publication")]
        notes = [Note(line.number, text) for line, text in known if line]
        again = [Note(line.number, "prints the week again") for line in head.again]
        return sorted([*notes, *again, *self.body.passed_over], key=lambda note: note.line)


def read_edition(lines: Sequence[Line], heading: Line) -> Reading | None:
    """Read the lines of one edition; `None` where no entry stands below its heading."""
    body = read_body(lines, heading)
    if not body.entries:
        return None
    return Reading(read_head(body.above, heading), body, lines[-1])
