"""Apply a change to an edition: its contribution, its entries, and everything that follows."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import bindparam, delete, false, insert, select, text, true, update
from sqlmodel import Session, col

from store import content_version
from store.consensus import refresh
from store.library import arxiv, entries
from store.library.editions import edition_record, iso_week
from store.readers import mark_posts, votes
from store.records import Contribution, Edition, EditionChange, Source, StoredEdition
from store.tables.library import ContributionRow, EditionRow


def load(session: Session, source: str, first_day: date) -> StoredEdition | None:
    """Return an edition with its contributions, its entries as documents have them."""
    row = session.connection().execute(_FIND, _day(source, first_day)).mappings().one_or_none()
    if row is None:
        return None
    found = session.connection().execute(_CONTRIBUTIONS, {"edition": row["id"]})
    return StoredEdition(
        id=row["id"],
        edition=edition_record(row, entries.as_imported(session, row["id"])),
        contributions=tuple(
            Contribution(each.kind, each.digest, each.sample, each.facts) for each in found
        ),
    )


def digests(session: Session, source: str, kind: str) -> dict[date, str]:
    """Return the digest of each edition's contribution of one kind, by first day."""
    rows = session.connection().execute(_DIGESTS, {"of_source": source, "of_kind": kind})
    return {day: digest for day, digest in rows}  # noqa: C416 - rows are tuples to mypy only so


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
    connection = session.connection()
    if change.edition.sample:
        if _holds_real(session):
            return
    else:
        _drop_samples(session)
    if stored is None:
        connection.execute(_ADD_SOURCE, {"slug": source.slug, "title": source.title})
        new = {**_values(change.edition, now), "arrived_at": now}
        edition_id = connection.execute(_ADD_EDITION, new).scalar_one()
    else:
        edition_id = stored.id
        if change.differs or change.new or change.changed or change.removed:
            connection.execute(_CHANGE_EDITION, {"row": edition_id, **_values(change.edition, now)})
    kinds = {each.kind for each in stored.contributions} if stored else set()
    _put_contribution(session, edition_id, change.contribution, kinds, now)
    moved = stored is not None and stored.edition.last_day != change.edition.last_day
    if change.replaces:
        mark_posts.freeze_posted(session, edition_id)
    placed = entries.write_changes(session, edition_id, change, moved=moved)
    weeks = {_week(each) for each in (change.edition, stored and stored.edition) if each}
    weeks |= refresh.weeks_of(session, placed.touched)
    refresh.refresh(session, weeks, now, {(edition_id, ref) for ref in change.changed})
    arxiv.touch_renamed(session, placed.renamed, now)
    votes.outdate_posts(session, placed.moves)
    content_version.touch(session)


_REAL = select(col(EditionRow.id)).where(col(EditionRow.sample) == false()).limit(1)
_SAMPLES = select(col(EditionRow.id)).where(col(EditionRow.sample) == true())
_DROP_CONTRIBUTIONS = delete(ContributionRow).where(
    col(ContributionRow.edition_id).in_(bindparam("editions", expanding=True))
)
_DROP_EDITIONS = delete(EditionRow).where(
    col(EditionRow.id).in_(bindparam("editions", expanding=True))
)
_DROP_EMPTY_SOURCES = text(
    "DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM edition WHERE edition.source = source.slug)"
    " AND NOT EXISTS (SELECT 1 FROM followed_source WHERE followed_source.source = source.slug)"
)


def _holds_real(session: Session) -> bool:
    return session.connection().scalar(_REAL) is not None


def _drop_samples(session: Session) -> None:
    """Drop all samples."""
    connection = session.connection()
    samples = connection.scalars(_SAMPLES).all()
    if not samples:
        return
    for edition_id in samples:
        entries.drop_of_edition(session, edition_id)
    connection.execute(_DROP_CONTRIBUTIONS, {"editions": [*samples]})
    connection.execute(_DROP_EDITIONS, {"editions": [*samples]})
    connection.execute(_DROP_EMPTY_SOURCES)


_DIGESTS = (
    select(col(EditionRow.first_day), col(ContributionRow.digest))
    .join(EditionRow, col(EditionRow.id) == col(ContributionRow.edition_id))
    .where(col(EditionRow.source) == bindparam("of_source"))
    .where(col(ContributionRow.kind) == bindparam("of_kind"))
)
_FIND = select(EditionRow).where(
    col(EditionRow.source) == bindparam("of_source"),
    col(EditionRow.first_day) == bindparam("of_day"),
)
_CONTRIBUTIONS = select(ContributionRow).where(
    col(ContributionRow.edition_id) == bindparam("edition")
)
# A source that is followed has its slug as title until its first edition is imported.
_ADD_SOURCE = text(
    "INSERT INTO source (slug, title) VALUES (:slug, :title) ON CONFLICT (slug)"
    " DO UPDATE SET title = excluded.title WHERE source.title = source.slug"
)
_ADD_EDITION = insert(EditionRow).returning(col(EditionRow.id))
_CHANGE_EDITION = update(EditionRow).where(col(EditionRow.id) == bindparam("row"))
_ADD_CONTRIBUTION = insert(ContributionRow)
_CHANGE_CONTRIBUTION = update(ContributionRow).where(
    col(ContributionRow.edition_id) == bindparam("of_edition"),
    col(ContributionRow.kind) == bindparam("of_kind"),
)
_EDITION_FIELDS = (
    "source", "kind", "title", "first_day", "last_day", "published_on", "year_rule",
    "overview", "minutes", "url", "headings", "sample",
)  # fmt: skip


def _day(source: str, first_day: date) -> dict[str, Any]:
    return {"of_source": source, "of_day": first_day}


def _values(edition: Edition, now: datetime) -> dict[str, Any]:
    values = {field: getattr(edition, field) for field in _EDITION_FIELDS}
    return values | {"week": _week(edition), "changed_at": now}


def _week(edition: Edition) -> str:
    return iso_week(edition.first_day, edition.last_day)


def _put_contribution(
    session: Session,
    edition_id: int,
    contribution: Contribution,
    kinds: set[str],
    now: datetime,
) -> None:
    values = {
        "digest": contribution.digest,
        "sample": contribution.sample,
        "facts": contribution.facts,
        "imported_at": now,
    }
    if contribution.kind in kinds:
        same = {"of_edition": edition_id, "of_kind": contribution.kind}
        session.connection().execute(_CHANGE_CONTRIBUTION, {**same, **values})
    else:
        key = {"edition_id": edition_id, "kind": contribution.kind}
        session.connection().execute(_ADD_CONTRIBUTION, {**key, **values})
