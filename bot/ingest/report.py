"""The report on an import: counts, and the lines that were not understood."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from pydantic import TypeAdapter

from bot.domain.drafts import Note, ParsedDocument
from bot.ingest.decide import REFUSED, Counts, EditionDecision
from bot.ingest.documents import Readable
from store.records import Contribution

# A round-up of a week has seven days, give or take a holiday.
_FEWEST_DAYS, _MOST_DAYS = 4, 10


@dataclass(frozen=True, slots=True)
class EditionReport:
    """The outcome of an import for one edition.

    `warnings` are those of the document that fall into this edition, and those of its pairing
    with other kinds. `refusal` is why it was refused, if it was, and `is_final` where no option
    overrules that.
    """

    source: str
    first_day: date
    last_day: date
    year_rule: str | None
    outcome: str
    entries: Counts
    refusal: str | None
    warnings: tuple[Note, ...]
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """The outcome of an import of one document; with an `error` it changed nothing.

    `warnings` are all of its warnings in the order of their lines, those of the editions included;
    `repaired` names the lines whose encoding was repaired. `files` are the addresses of the
    documents that it is an index of. `unread_rows` is how many rows were not understood; each
    kind of them has a warning. `other_shape` is true if it was refused as unlike the
    documents of its kind.
    """

    path: str
    kind: str | None = None
    error: str | None = None
    warnings: tuple[Note, ...] = ()
    repaired: tuple[Note, ...] = ()
    editions: tuple[EditionReport, ...] = ()
    files: tuple[str, ...] = ()
    unread_rows: int = 0
    other_shape: bool = False

    @property
    def is_mostly_unread(self) -> bool:
        """True if more than half of its rows were not understood."""
        counts = (edition.entries for edition in self.editions)
        return self.unread_rows > sum(each.new + each.changed + each.unchanged for each in counts)

    @property
    def refused(self) -> tuple[EditionReport, ...]:
        """The editions that were refused."""
        return tuple(edition for edition in self.editions if edition.outcome == REFUSED)

    @property
    def replaceable(self) -> tuple[EditionReport, ...]:
        """The editions that were refused since most of their papers would be other ones."""
        return tuple(edition for edition in self.refused if not edition.is_final)


_REPORT = TypeAdapter(DocumentReport)


def report_on(
    readable: Readable, source: str, parsed: ParsedDocument, decisions: Sequence[EditionDecision]
) -> DocumentReport:
    """Report on a parsed document and the decisions on its editions."""
    warnings = {*parsed.warnings, *readable.unrepaired}
    editions = []
    within = _by_edition(parsed)
    for draft, decision in zip(parsed.editions, decisions, strict=True):
        own = {*within.get(draft.line, ()), *decision.warnings}
        days = (draft.last_day - draft.first_day).days + 1
        if not _FEWEST_DAYS <= days <= _MOST_DAYS:
            own.add(Note(draft.line, f"this week has {days} days"))
        warnings |= own
        edition = EditionReport(
            source=source,
            first_day=draft.first_day,
            last_day=draft.last_day,
            year_rule=draft.year_rule and draft.year_rule.value,
            outcome=decision.outcome,
            entries=decision.entries,
            refusal=decision.warnings[-1].text if decision.outcome == REFUSED else None,
            warnings=_in_order(own),
            is_final=decision.is_final,
        )
        editions.append(edition)
    return DocumentReport(
        path=readable.document.path,
        kind=parsed.kind.value,
        warnings=_in_order(warnings),
        repaired=readable.repaired,
        editions=tuple(editions),
        files=parsed.files,
        unread_rows=parsed.unread_rows,
    )


def to_cached(report: DocumentReport, contributions: Sequence[Contribution]) -> dict[str, Any]:
    """Return a report with the digests of its editions, for the store's cache of documents."""
    cached = _facts(report)
    for edition, contribution in zip(cached["editions"], contributions, strict=True):
        edition["digest"] = contribution.digest
    return cached


def from_cached(path: str, cached: Mapping[str, Any]) -> DocumentReport:
    """Return the report on a document that was imported before and changes nothing now."""
    before = _REPORT.validate_python({**cached, "path": ""})
    editions = tuple(map(_unchanged, before.editions))
    return replace(before, path=path, editions=editions)


def to_json(reports: list[DocumentReport]) -> dict[str, Any]:
    """Return the reports in the shape of `broadsheet import --json`."""
    return {"documents": list(map(_facts, reports))}


def _facts(report: DocumentReport) -> dict[str, Any]:
    facts: dict[str, Any] = _REPORT.dump_python(report, mode="json", exclude={"other_shape"})
    return facts


def _unchanged(before: EditionReport) -> EditionReport:
    known = before.entries.new + before.entries.changed + before.entries.unchanged
    return replace(
        before, outcome="unchanged", entries=Counts(unchanged=known), refusal=None, is_final=False
    )


def _by_edition(parsed: ParsedDocument) -> dict[int, list[Note]]:
    """Return the warnings below the first line of each edition, up to the next one's."""
    starts = sorted({draft.line for draft in parsed.editions})
    found: dict[int, list[Note]] = {}
    for note in parsed.warnings:
        place = bisect_right(starts, note.line) - 1
        if len(parsed.editions) == 1:
            place = 0
        if place >= 0:
            found.setdefault(starts[place], []).append(note)
    return found


def _in_order(notes: set[Note]) -> tuple[Note, ...]:
    return tuple(sorted(notes, key=lambda note: (note.line, note.text)))
