"""Apply a change to an edition: its contribution, its entries, and everything that follows.

A cache of parsed documents, which may be emptied at any time, tells which bytes need no parsing.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import delete, exists, false, insert, select, true, update
from sqlmodel import Session, col

from store import content_version
from store.consensus import refresh
from store.database.statements import insert_for
from store.library import arxiv, entries, new_entries
from store.library.editions import EDITION_FIELDS, edition_record, iso_week
from store.readers import votes
from store.records import LEFT, Contribution, EditionChange, Source, StoredEdition
from store.tables.library import (
    ContributionRow,
    DocumentRow,
    EditionRow,
    FollowedSourceRow,
    SourceRow,
)
from store.tables.posting import DeliveryPartRow, DeliveryRow


def load(session: Session, source: str, first_day: date) -> StoredEdition | None:
    """Return an edition with its contributions, its entries as documents have them."""
    connection = session.connection()
    query = select(EditionRow).where(
        col(EditionRow.source) == source, col(EditionRow.first_day) == first_day
    )
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        return None
    of_edition = col(ContributionRow.edition_id) == row["id"]
    found = connection.execute(select(ContributionRow).where(of_edition))
    return StoredEdition(
        id=row["id"],
        edition=edition_record(row, entries.as_imported(session, row["id"])),
        contributions=tuple(
            Contribution(each.kind, each.digest, each.sample, each.facts) for each in found
        ),
    )


def digests(session: Session, source: str, kind: str) -> dict[date, str]:
    """Return the digest of each edition's contribution of one kind, by first day."""
    query = (
        select(col(EditionRow.first_day), col(ContributionRow.digest))
        .join(EditionRow, col(EditionRow.id) == col(ContributionRow.edition_id))
        .where(col(EditionRow.source) == source, col(ContributionRow.kind) == kind)
    )
    return {row.first_day: row.digest for row in session.connection().execute(query)}


def contributed_facts(session: Session, source: str, kind: str) -> list[str]:
    """Return the facts that one kind of document contributed to each edition of a source."""
    query = (
        select(col(ContributionRow.facts))
        .join(EditionRow, col(EditionRow.id) == col(ContributionRow.edition_id))
        .where(col(EditionRow.source) == source, col(ContributionRow.kind) == kind)
    )
    return list(session.connection().scalars(query))


def apply(
    session: Session,
    source: Source,
    change: EditionChange,
    stored: StoredEdition | None,
    now: datetime,
) -> None:
    """Write an edition, its contribution and its entries.

    `stored` is what `load` returned in the same transaction. The first real edition replaces all
    samples; later samples are ignored. The consensus is refreshed for the week of the edition, and
    for all weeks whose papers were regrouped. Where the change replaces most papers, messages that
    are posted stay as they are.
    """
    connection, edition = session.connection(), change.edition
    if not edition.sample:
        _drop_samples(session)
    elif connection.scalar(select(exists().where(col(EditionRow.sample) == false()))):
        return
    week = iso_week(edition.first_day, edition.last_day)
    values = {field: getattr(edition, field) for field in EDITION_FIELDS}
    values |= {"week": week, "changed_at": now}
    if stored is None:
        _add_source(session, source)
        new = insert(EditionRow).values(**values, arrived_at=now)
        edition_id = connection.execute(new.returning(col(EditionRow.id))).scalar_one()
    else:
        edition_id = stored.id
        if change.differs or change.new or change.changed or change.removed:
            this = col(EditionRow.id) == edition_id
            connection.execute(update(EditionRow).where(this).values(values))
    _put_contribution(session, edition_id, change.contribution, now)
    if change.replaces:
        _freeze_posted(session, edition_id)
    moved = stored is not None and stored.edition.last_day != edition.last_day
    placed = entries.write_changes(session, edition_id, change, moved=moved)
    if not edition.sample:
        new_entries.mark(session, edition_id, change.new, now)
    weeks = {week, *refresh.weeks_of(session, placed.touched)}
    if stored:
        weeks.add(iso_week(stored.edition.first_day, stored.edition.last_day))
    refresh.refresh(session, weeks, now, {(edition_id, ref) for ref in change.changed})
    arxiv.touch_renamed(session, placed.renamed, now)
    votes.outdate_posts(session, placed.moves)
    content_version.touch(session)


def recall(session: Session, key: str) -> dict[str, Any] | None:
    """Return what `remember` stored under a key.

    Return `None` if the bytes were not parsed before, or if an edition changed since.
    """
    query = select(DocumentRow).where(col(DocumentRow.key) == key)
    row = session.connection().execute(query).one_or_none()
    if row is None:
        return None
    stored, parsed = digests(session, row.source, row.kind), dict[str, Any](row.parsed)
    is_current = all(
        stored.get(date.fromisoformat(edition["first_day"])) == edition["digest"]
        for edition in parsed["editions"]
    )
    return parsed if is_current else None


def remember(  # noqa: PLR0913 - a row has six columns
    session: Session, *, key: str, source: str, kind: str, parsed: dict[str, Any], now: datetime
) -> None:
    """Store the result of parsing a document; `parsed["editions"]` holds days and digests.

    So its import is complete, and alerts are matched against what it added.
    """
    connection = session.connection()
    new_entries.complete_import(session, source, now)
    connection.execute(delete(DocumentRow).where(col(DocumentRow.key) == key))
    values = {"key": key, "source": source, "kind": kind, "parsed": parsed, "imported_at": now}
    connection.execute(insert(DocumentRow).values(**values))


def _drop_samples(session: Session) -> None:
    """Drop all samples, and the sources that have nothing else."""
    connection = session.connection()
    samples = connection.scalars(
        select(col(EditionRow.id)).where(col(EditionRow.sample) == true())
    ).all()
    if not samples:
        return
    for edition_id in samples:
        entries.drop_of_edition(session, edition_id)
    contributions = col(ContributionRow.edition_id).in_(samples)
    connection.execute(delete(ContributionRow).where(contributions))
    connection.execute(delete(EditionRow).where(col(EditionRow.id).in_(samples)))
    has_editions = exists().where(col(EditionRow.source) == col(SourceRow.slug))
    is_followed = exists().where(col(FollowedSourceRow.source) == col(SourceRow.slug))
    connection.execute(delete(SourceRow).where(~has_editions, ~is_followed))


def _add_source(session: Session, source: Source) -> None:
    """Add a source; one that is followed has its slug as title until its first edition."""
    new = insert_for(session, SourceRow).on_conflict_do_update(
        index_elements=["slug"],
        set_={"title": source.title},
        where=col(SourceRow.title) == col(SourceRow.slug),
    )
    session.connection().execute(new, {"slug": source.slug, "title": source.title})


def _put_contribution(
    session: Session, edition_id: int, contribution: Contribution, now: datetime
) -> None:
    values = {
        "digest": contribution.digest,
        "sample": contribution.sample,
        "facts": contribution.facts,
        "imported_at": now,
    }
    new = insert_for(session, ContributionRow).values(
        edition_id=edition_id, kind=contribution.kind, **values
    )
    session.connection().execute(
        new.on_conflict_do_update(index_elements=["edition_id", "kind"], set_=values)
    )


def _freeze_posted(session: Session, edition: int) -> None:
    """Leave the posted messages of an edition as they are for good."""
    deliveries = select(col(DeliveryRow.id)).where(col(DeliveryRow.edition_id) == edition)
    posted = update(DeliveryPartRow).where(
        col(DeliveryPartRow.delivery_id).in_(deliveries), col(DeliveryPartRow.message).is_not(None)
    )
    session.connection().execute(posted.values(digest=LEFT))
