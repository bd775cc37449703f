"""Signs that an archive was cut: what is left of it must not change anything."""

from collections.abc import Sequence
from itertools import takewhile

from bot.errors import DocumentError
from bot.ingest.formats.archive.outline import IndexLine, Outline
from bot.ingest.formats.archive.ranks import WEEK_SIZE
from bot.ingest.formats.archive.rows import ends_open

# So many weeks missing at the end of the index mean a cut, whatever the last week holds.
_CUT_WEEKS = 3

_REMEDY = "Fetch the whole document and import it again; nothing was changed."


def refuse_cut_row(text: str) -> None:
    """Refuse a document that ends inside a row of a table, without a line break.

    Raises:
        DocumentError: if its last line is such a row.
    """
    whole = text.rstrip()
    last = whole.rpartition("\n")[2]
    if last.lstrip().startswith("|") and ends_open(last) and "\n" not in text[len(whole) :]:
        line = whole.count("\n") + 1
        raise DocumentError(
            f"The document breaks off in line {line}, within a row of a table.", _REMEDY
        )


def refuse_missing_weeks(outline: Outline, missing: Sequence[IndexLine]) -> None:
    """Refuse a document whose index goes on where its weeks end.

    One week that the index names last may be a slip of its editor, unless the last week of
    the document is not whole either.

    Raises:
        DocumentError: if the end of the index has no weeks.
    """
    sections = [*outline.weeks, *outline.unread]
    lost = {line.line for line in missing}
    here = [line for line in outline.index if line.is_here]
    run = len(list(takewhile(lambda line: line.line in lost, reversed(here))))
    if not sections or not run:
        return
    last = max(sections, key=lambda section: section.line)
    if run >= _CUT_WEEKS or len(last.rows) < WEEK_SIZE:
        end = last.rows[-1].line if last.rows else last.line
        weeks = "one more week" if run == 1 else f"{run} more weeks"
        raise DocumentError(
            f"The document breaks off in line {end}: its index goes on with {weeks}.", _REMEDY
        )
