"""Importing a document: read, recall, parse, decide, apply.

    bytes | read (decode, repair) | recall: the same bytes as before end here
          | parse -> drafts | decide -> change | apply, one transaction an edition
          | remember | report

Everything that decides is pure and in other modules; this one calls them in order.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.domain.week_years import year_of_file
from bot.errors import DocumentError, UserError, WrongShape
from bot.ingest import documents
from bot.ingest.decide import (
    Counts,
    EditionDecision,
    contribute,
    decide,
    draft_from,
    is_truncation,
    refuse,
    refuse_ahead,
)
from bot.ingest.formats.own_list.placing import FirstFetched, first_fetched
from bot.ingest.memory import limited_memory
from bot.ingest.report import DocumentReport, from_cached, report_on, to_cached
from store.database import Database, Session
from store.imports import apply_edition
from store.posting.editions_to_post import EVERY_SOURCE
from store.records import Contribution, Source
from store.sources import CONSENSUS

# A document that another version of the parsers read is read again.
_PARSERS = "11"

# A year by one of these rules is printed, not guessed.
_PRINTED = frozenset({None, YearRule.HEADING, YearRule.INDEX, YearRule.FEED})
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")

# A draft, and what it contributes to its edition.
_Candidate = tuple[EditionDraft, Contribution]


@dataclass(frozen=True, slots=True)
class WritePauses:
    """The pauses of an import for other writers: after so many `editions`, some 3 ms each.

    Writers of the same process wait in line and need no pause. Those of other processes look now
    and then whether SQLite is free, and find it so in a pause of some `seconds`.
    """

    editions: int = 16
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The operator's options for a document: kind, source, year and week overrule its own.

    `week` are the first and the last day of a list; `followed` is true for a source's address,
    where the rows of a list need no week of their own.
    With `dry_run` nothing is written and the report states what would be; `sample` marks the
    bundled documents. With `replace` a week is imported even if most of its papers are other ones.
    `progress(done, of)` is called after every few editions.
    """

    kind: str | None = None
    source: str | None = None
    year: int | None = None
    week: tuple[date, date] | None = None
    followed: bool = False
    dry_run: bool = False
    replace: bool = False
    sample: bool = False
    progress: Callable[[int, int], None] | None = None
    pauses: WritePauses = WritePauses()


class Importer(Protocol):
    """Imports documents, in this process or in a worker process."""

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Import a document and report on it; one that can't be trusted changes nothing.

        Raises:
            SourceError: where the import could not be completed; imported editions stay.
            StoreError: where the store can't be read or written.
        """


@dataclass(frozen=True, slots=True)
class LocalImporter:
    """Imports documents in this process, whose event loop serves nothing else meanwhile."""

    database: Database

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Import a document, as `Importer` does."""
        return await ingest(self.database, path, data, options, now)


def check_source(slug: str) -> str:
    """Return a slug that can name a source, or raise a `UserError`."""
    if slug == CONSENSUS:
        raise UserError(f"{CONSENSUS} is computed, nothing can be imported into it.")
    if slug == EVERY_SOURCE:
        raise UserError(f"{EVERY_SOURCE} stands for every source, and can't name one.")
    if not _SLUG.fullmatch(slug):
        raise UserError(
            f"{slug!r} can't name a source.",
            "A slug is up to 60 lower-case letters, digits and hyphens, such as my-newsletter.",
        )
    return slug


async def ingest(
    database: Database, path: str, data: bytes, options: ImportOptions, now: datetime
) -> DocumentReport:
    """Import a document and report on it; one that can't be trusted changes nothing."""
    try:
        return await _ingest(database, path, data, options, now)
    except DocumentError as error:
        is_other = isinstance(error, WrongShape)
        kind = error.kind or options.kind
        return DocumentReport(path, kind=kind, error=str(error), other_shape=is_other)


async def recall_report(
    database: Database, path: str, data: bytes, options: ImportOptions
) -> DocumentReport | None:
    """Return the report on a document that was imported before, `None` for a new one."""
    cached = await database.read(apply_edition.recall, _key(path, data, options))
    return from_cached(path, cached) if cached is not None else None


async def _ingest(
    database: Database, path: str, data: bytes, options: ImportOptions, now: datetime
) -> DocumentReport:
    if known := await recall_report(database, path, data, options):
        return known
    fetched = await database.read(_first_fetched, options)
    with limited_memory(path):
        readable = documents.read(path, data)
        parsed = _parse(readable.document, options, now, fetched)
        contributions = [contribute(draft, sample=options.sample) for draft in parsed.editions]
    source = Source(options.source or parsed.slug, parsed.source_title)
    candidates = list(zip(parsed.editions, contributions, strict=True))
    decisions = await _apply(database, source, candidates, options, now)
    report = report_on(readable, source.slug, parsed, decisions)
    if not options.dry_run:
        await database.write(
            apply_edition.remember,
            key=_key(path, data, options),
            source=source.slug,
            kind=parsed.kind.value,
            parsed=to_cached(report, contributions),
            now=now,
        )
    return report


def _first_fetched(session: Session, options: ImportOptions) -> FirstFetched | None:
    """Return the days under which the rows of a followed list are stored, `None` for others."""
    if not (options.followed and options.source and options.kind == DocumentKind.LIST):
        return None
    stored = apply_edition.contributed_facts(session, options.source, DocumentKind.LIST.value)
    return first_fetched(map(draft_from, stored))


def _parse(
    document: RawDocument, options: ImportOptions, now: datetime, fetched: FirstFetched | None
) -> ParsedDocument:
    """Parse a document; refuse one year for weeks of several, and a title that names no source."""
    given = ParseOptions(now.date(), options.year, options.week, fetched)
    parsed = documents.parse(document, given, options.kind)
    if options.week and parsed.kind is not DocumentKind.LIST:
        raise DocumentError(
            f"{document.path} is read as {parsed.kind.value}, and --week is for lists alone.",
            "Leave it out, or add --kind list.",
        )
    if options.source is None and parsed.slug in {CONSENSUS, EVERY_SOURCE}:
        raise DocumentError(
            f"{document.path} calls itself {parsed.slug}.", "Give it another --source."
        )
    if options.year is not None and len(parsed.editions) > 1:
        own = documents.parse(document, replace(given, year=None), options.kind)
        weeks = [edition for edition in own.editions if edition.year_rule in _PRINTED]
        # A week over the turn of the year is of both.
        both = [{edition.first_day.year, edition.last_day.year} for edition in weeks]
        if both and not set.intersection(*both):
            years = sorted({edition.last_day.year for edition in weeks})
            raise DocumentError(
                f"{document.path} holds weeks of {years[0]} to {years[-1]};"
                f" --year {options.year} would move them all into one.",
                "Leave --year out, or import a part that is of one year.",
            )
    return parsed


async def _apply(
    database: Database,
    source: Source,
    candidates: Sequence[_Candidate],
    options: ImportOptions,
    now: datetime,
) -> list[EditionDecision]:
    """Decide on each candidate and apply the decision, but for a dry run."""
    fresh = await database.read(_fresh, source.slug, candidates)

    def decide_and_apply(session: Session, candidate: _Candidate) -> EditionDecision:
        if ahead := refuse_ahead(candidate[0], now.date()):
            return ahead
        stored = apply_edition.load(session, source.slug, candidate[0].first_day)
        refused = refuse(source.slug, *candidate, stored)
        if refused and not options.replace:
            return refused
        decision = decide(source.slug, *candidate, stored)
        if decision.change and not options.dry_run:
            change = replace(decision.change, replaces=refused is not None)
            apply_edition.apply(session, source, change, stored, now)
        return decision

    decisions: dict[date, EditionDecision] = {}
    for start in range(0, len(fresh), options.pauses.editions):
        if start and options.pauses.seconds:
            await asyncio.sleep(options.pauses.seconds)
        some = fresh[start : start + options.pauses.editions]
        if options.dry_run:
            decided = [await database.read(decide_and_apply, candidate) for candidate in some]
        else:
            decided = await database.write_each(decide_and_apply, some)
        decisions |= {draft.first_day: d for (draft, _), d in zip(some, decided, strict=True)}
        if options.progress:
            options.progress(start + len(some), len(fresh))
    return [
        decisions.get(draft.first_day)
        or EditionDecision("unchanged", None, Counts(unchanged=len(draft.entries)))
        for draft, _ in candidates
    ]


def _fresh(session: Session, source: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the candidates that differ from what their kind contributed; refuse one cut off."""
    kinds = {contribution.kind for _, contribution in candidates}
    stored = {kind: apply_edition.digests(session, source, kind) for kind in kinds}
    fresh = []
    for draft, contribution in candidates:
        before = stored[contribution.kind].get(draft.first_day)
        if before == contribution.digest:
            continue
        fresh.append((draft, contribution))
        if before and _is_beginning(session, source, draft):
            count, day = len(draft.entries), draft.first_day.isoformat()
            raise DocumentError(
                f"It holds only the first {count} of the entries that are stored for {day}.",
                "If it was cut off, import the whole document.",
            )
    return fresh


def _is_beginning(session: Session, source: str, draft: EditionDraft) -> bool:
    stored = apply_edition.load(session, source, draft.first_day)
    contributions = stored.contributions if stored else ()
    return any(
        before.kind == draft.kind and is_truncation(draft, before) for before in contributions
    )


def _key(path: str, data: bytes, options: ImportOptions) -> str:
    given = options.kind, options.source, options.year, options.sample
    facts: tuple[object, ...] = _PARSERS, *given, year_of_file(path)
    if options.kind == DocumentKind.LIST or options.week:
        facts += options.week, options.followed
    return hashlib.sha256(repr(facts).encode() + data).hexdigest()
