"""The report on an import: counts, and the lines that were not understood."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bot.domain.drafts import EditionDraft, Note, ParsedDocument
from bot.ingest.decide import REFUSED, Decision
from bot.ingest.documents import Readable
from store.records import Contribution

# A round-up of a week has seven days, give or take a holiday.
_FEWEST_DAYS, _MOST_DAYS = 4, 10


@dataclass(frozen=True, slots=True)
class EditionReport:
    """The outcome of an import for one edition; the counts are of its entries.

    `warnings` are those of the document that fall into this edition, and those of its pairing
    with other kinds. `refusal` is why it was refused, if it was.
    """

    source: str
    first_day: date
    last_day: date
    year_rule: str | None
    outcome: str
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    warnings: tuple[Note, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """The outcome of an import of one document; with an `error` it changed nothing.

    `other_shape` is true if it was refused as unlike the documents of its kind. `warnings` are all
    of its warnings in the order of their lines, those of the editions included; `repaired` names
    the lines whose encoding was repaired. `files` are the addresses of the documents that it is an
    index of.
    """

    path: str
    kind: str | None = None
    error: str | None = None
    editions: tuple[EditionReport, ...] = ()
    warnings: tuple[Note, ...] = ()
    repaired: tuple[Note, ...] = ()
    other_shape: bool = False
    files: tuple[str, ...] = ()

    @property
    def refused(self) -> tuple[EditionReport, ...]:
        """The editions that were refused, for the document has other papers for them."""
        return tuple(edition for edition in self.editions if edition.outcome == REFUSED)


def report_on(
    readable: Readable,
    source: str,
    parsed: ParsedDocument,
    decisions: Sequence[Decision | None],
) -> DocumentReport:
    """Report on a parsed document; a decision of `None` means that all was stored already."""
    warnings = {*parsed.warnings, *readable.unrepaired}
    reports = []
    for draft, decision in zip(parsed.editions, decisions, strict=True):
        own = {*_falling_in(draft, parsed), *_oddities(draft)}
        own |= set(decision.warnings) if decision else set()
        warnings |= own
        reports.append(_edition_report(source, draft, decision, _in_order(own)))
    return DocumentReport(
        path=readable.document.path,
        kind=parsed.kind.value,
        editions=tuple(reports),
        warnings=_in_order(warnings),
        repaired=readable.repaired,
        files=parsed.files,
    )


def to_cached(report: DocumentReport, contributions: Sequence[Contribution]) -> dict[str, Any]:
    """Return a report with the digests of its editions, for the store's cache of documents."""
    cached = _document(report)
    for edition, contribution in zip(cached["editions"], contributions, strict=True):
        edition["digest"] = contribution.digest
    return cached


def from_cached(path: str, cached: Mapping[str, Any]) -> DocumentReport:
    """Return the report on a document that was imported before and changes nothing now."""
    return DocumentReport(
        path=path,
        kind=cached["kind"],
        editions=tuple(map(_cached_edition, cached["editions"])),
        warnings=_cached_notes(cached["warnings"]),
        repaired=_cached_notes(cached["repaired"]),
        files=tuple(cached.get("files", ())),
    )


def to_json(reports: list[DocumentReport]) -> dict[str, Any]:
    """Return the reports in the shape of `broadsheet import --json`."""
    return {"documents": [_document(report) for report in reports]}


def _document(report: DocumentReport) -> dict[str, Any]:
    return {
        "path": report.path,
        "kind": report.kind,
        "error": report.error,
        "warnings": _notes(report.warnings),
        "repaired": _notes(report.repaired),
        "editions": [_edition(edition) for edition in report.editions],
        "files": list(report.files),
    }


def _edition(report: EditionReport) -> dict[str, Any]:
    return {
        "source": report.source,
        "first_day": report.first_day.isoformat(),
        "last_day": report.last_day.isoformat(),
        "year_rule": report.year_rule,
        "outcome": report.outcome,
        "entries": {
            "new": report.new,
            "changed": report.changed,
            "unchanged": report.unchanged,
            "removed": report.removed,
        },
        "refusal": report.refusal,
        "warnings": _notes(report.warnings),
    }


def _notes(notes: tuple[Note, ...]) -> list[dict[str, Any]]:
    return [{"line": note.line, "text": note.text} for note in notes]


def _edition_report(
    source: str, draft: EditionDraft, decision: Decision | None, warnings: tuple[Note, ...]
) -> EditionReport:
    return EditionReport(
        source=source,
        first_day=draft.first_day,
        last_day=draft.last_day,
        year_rule=draft.year_rule and draft.year_rule.value,
        outcome=decision.outcome if decision else "unchanged",
        new=decision.new if decision else 0,
        changed=decision.changed if decision else 0,
        unchanged=decision.unchanged if decision else len(draft.entries),
        removed=decision.removed if decision else 0,
        warnings=warnings,
        refusal=decision.warnings[-1].text if decision and decision.outcome == REFUSED else None,
    )


def _falling_in(draft: EditionDraft, parsed: ParsedDocument) -> list[Note]:
    """Return the warnings between this edition's first line and the next one's."""
    later = [other.line for other in parsed.editions if other.line > draft.line]
    first = draft.line if len(parsed.editions) > 1 else 0
    end = min(later, default=None)
    return [
        note for note in parsed.warnings if note.line >= first and (end is None or note.line < end)
    ]


def _oddities(draft: EditionDraft) -> list[Note]:
    days = (draft.last_day - draft.first_day).days + 1
    if _FEWEST_DAYS <= days <= _MOST_DAYS:
        return []
    return [Note(draft.line, f"this week has {days} days")]


def _in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(sorted(notes, key=lambda note: (note.line, note.text)))


def _cached_edition(cached: Mapping[str, Any]) -> EditionReport:
    counts = cached["entries"]
    return EditionReport(
        source=cached["source"],
        first_day=date.fromisoformat(cached["first_day"]),
        last_day=date.fromisoformat(cached["last_day"]),
        year_rule=cached["year_rule"],
        outcome="unchanged",
        unchanged=counts["new"] + counts["changed"] + counts["unchanged"],
        warnings=_cached_notes(cached["warnings"]),
    )


def _cached_notes(cached: Iterable[Mapping[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(note["line"], note["text"]) for note in cached)
