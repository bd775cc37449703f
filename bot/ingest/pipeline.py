"""Importing a document: read, recall, parse, decide, apply.

    bytes | read (decode, repair) | recall: the same bytes as before end here
          | parse -> drafts | decide -> change | apply, one transaction an edition
          | remember | report

Everything that decides is pure and stands elsewhere; this module calls it in order.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol

from bot.domain.drafts import EditionDraft, ParsedDocument, ParseOptions, RawDocument, YearRule
from bot.domain.week_phrases import year_of_file
from bot.errors import DocumentError, OtherShape, UserError
from bot.ingest import documents
from bot.ingest.decide import Decision, contribute, decide, is_beginning, refuse
from bot.ingest.report import DocumentReport, recalled, report_on, said
from store.database import Database, Session
from store.imports import apply_edition
from store.imports import document_cache as memory
from store.posting.editions_to_post import EVERY_SOURCE
from store.records import Contribution, Source, StoredEdition
from store.sources import CONSENSUS

# What was read by another version of the parsers is read again.
_PARSERS = "3"

# A year by one of these is printed somewhere, and no guess.
_PRINTED = frozenset({None, YearRule.HEADING, YearRule.INDEX, YearRule.FEED})
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


@dataclass(frozen=True, slots=True)
class Turns:
    """How others who write get their turn: after so many editions, some 3 ms each.

    Those of this process wait in line. Those of other processes only look now and then whether
    SQLite is free, and it is to `rest` for so many seconds where they are to find it so.
    """

    editions: int = 16
    rest: float = 0.0


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The operator's word on a document: kind, source and year overrule what it says itself.

    With `dry_run` nothing is written and the report says what would be; `sample` marks the
    bundled documents. With `replace` a week whose papers would mostly be other ones is taken in
    all the same. `progress(done, of)` is called after every few editions.
    """

    kind: str | None = None
    source: str | None = None
    year: int | None = None
    dry_run: bool = False
    replace: bool = False
    sample: bool = False
    progress: Callable[[int, int], None] | None = None
    turns: Turns = Turns()


class Importer(Protocol):
    """Takes documents in."""

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Take a document in and report on it; one that can't be trusted changes nothing.

        Raises:
            SourceError: where that could not be brought to its end; editions that were taken in
                before stay.
            StoreError: where the store can't be read or written.
        """


@dataclass(frozen=True, slots=True)
class Here:
    """Takes documents in in this process; nobody who waits for its event loop is served meanwhile.

    Args:
        database: the store.
    """

    database: Database

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Take a document in, as `Importer` says."""
        return await ingest(self.database, path, data, options, now)


def check_source(slug: str) -> str:
    """Return a slug that may name a source.

    Raises:
        UserError: if it may not.
    """
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
    """Take a document in and report on it; one that can't be trusted changes nothing."""
    try:
        return await _ingest(database, path, data, options, now)
    except DocumentError as error:
        is_other = isinstance(error, OtherShape)
        kind = error.kind or options.kind
        return DocumentReport(path, kind=kind, error=str(error), other_shape=is_other)


async def recall(
    database: Database, path: str, data: bytes, options: ImportOptions
) -> DocumentReport | None:
    """Return the report on a document that was taken in before, `None` on one that was not."""
    memorised = await database.read(memory.recall, _key(path, data, options))
    return recalled(path, memorised) if memorised is not None else None


@dataclass(frozen=True, slots=True)
class _Offer:
    """A draft and the contribution that it would be."""

    draft: EditionDraft
    contribution: Contribution


async def _ingest(
    database: Database, path: str, data: bytes, options: ImportOptions, now: datetime
) -> DocumentReport:
    if known := await recall(database, path, data, options):
        return known
    readable = documents.read(path, data)
    parsed = _parse(readable.document, options, now)
    source = Source(options.source or parsed.slug, parsed.source_title)
    offers = [_Offer(draft, contribute(draft, sample=options.sample)) for draft in parsed.editions]
    decided = await _take_in(database, source, offers, options, now)
    report = report_on(readable, source.slug, parsed, decided)
    if not options.dry_run:
        words = said(report, [offer.contribution for offer in offers])
        await database.write(
            memory.remember,
            key=_key(path, data, options),
            source=source.slug,
            kind=parsed.kind.value,
            said=words,
            now=now,
        )
    return report


def _parse(document: RawDocument, options: ImportOptions, now: datetime) -> ParsedDocument:
    """Parse a document with the operator's word, where that word can be meant.

    Raises:
        DocumentError: if one year is given for weeks of several, or the title claims a slug
            that means something else.
    """
    parsed = documents.parse(document, ParseOptions(now.date(), options.year), options.kind)
    if options.source is None and parsed.slug in {CONSENSUS, EVERY_SOURCE}:
        raise DocumentError(
            f"{document.path} calls itself {parsed.slug}.", "Give it another --source."
        )
    if options.year is not None and len(parsed.editions) > 1:
        own = documents.parse(document, ParseOptions(now.date()), options.kind)
        weeks = [each for each in own.editions if each.year_rule in _PRINTED]
        # A week over the turn of the year is of both.
        both = [{each.first_day.year, each.last_day.year} for each in weeks]
        if both and not set.intersection(*both):
            years = sorted({each.last_day.year for each in weeks})
            raise DocumentError(
                f"{document.path} holds weeks of {years[0]} to {years[-1]};"
                f" --year {options.year} would move them all into one.",
                "Leave --year out, or import a part that is of one year.",
            )
    return parsed


async def _take_in(
    database: Database,
    source: Source,
    offers: Sequence[_Offer],
    options: ImportOptions,
    now: datetime,
) -> list[Decision | None]:
    """Decide on and apply each offer; `None` stands for one that is stored already."""
    fresh = await database.read(_fresh, source.slug, offers)

    def decide_only(session: Session, offer: _Offer) -> Decision:
        stored = apply_edition.load(session, source.slug, offer.draft.first_day)
        return _decide(source.slug, offer, stored, replaces=options.replace)

    def decide_and_apply(session: Session, offer: _Offer) -> Decision:
        stored = apply_edition.load(session, source.slug, offer.draft.first_day)
        decision = _decide(source.slug, offer, stored, replaces=options.replace)
        if decision.change is not None:
            apply_edition.apply(session, source, decision.change, stored, now)
        return decision

    decisions: dict[date, Decision] = {}
    for start in range(0, len(fresh), options.turns.editions):
        if start and options.turns.rest:
            await asyncio.sleep(options.turns.rest)
        some = fresh[start : start + options.turns.editions]
        if options.dry_run:
            decided = [await database.read(decide_only, offer) for offer in some]
        else:
            decided = await database.write_each(decide_and_apply, some)
        decisions |= {o.draft.first_day: d for o, d in zip(some, decided, strict=True)}
        if options.progress:
            options.progress(start + len(some), len(fresh))
    return [decisions.get(offer.draft.first_day) for offer in offers]


def _fresh(session: Session, source: str, offers: Sequence[_Offer]) -> list[_Offer]:
    """Return the offers that say something else than their kind did before.

    Raises:
        DocumentError: if one was cut off; nothing of the document is taken in then.
    """
    kinds = {offer.contribution.kind for offer in offers}
    stored = {kind: apply_edition.digests(session, source, kind) for kind in kinds}
    fresh = []
    for offer in offers:
        before = stored[offer.contribution.kind].get(offer.draft.first_day)
        if before != offer.contribution.digest:
            fresh.append(offer)
            if before is not None:
                _refuse_beginning(session, source, offer)
    return fresh


def _refuse_beginning(session: Session, source: str, offer: _Offer) -> None:
    stored = apply_edition.load(session, source, offer.draft.first_day)
    for before in stored.contributions if stored else ():
        if before.kind == offer.contribution.kind and is_beginning(offer.draft, before):
            count, day = len(offer.draft.entries), offer.draft.first_day.isoformat()
            raise DocumentError(
                f"It holds only the first {count} of the entries that are stored for {day}.",
                "If it was cut off, import the whole document.",
            )


def _decide(
    source: str, offer: _Offer, stored: StoredEdition | None, *, replaces: bool
) -> Decision:
    draft, contribution = offer.draft, offer.contribution
    refused = refuse(source, draft, contribution, stored)
    if refused and not replaces:
        return refused
    decision = decide(source, draft, contribution, stored)
    if not refused or not decision.change:
        return decision
    return replace(decision, change=replace(decision.change, replaces=True))


def _key(path: str, data: bytes, options: ImportOptions) -> str:
    told = (options.kind, options.source, options.year, options.sample)
    words = (_PARSERS, *told, year_of_file(path))
    key = hashlib.sha256(repr(words).encode())
    key.update(data)
    return key.hexdigest()
