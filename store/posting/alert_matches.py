"""The papers that alerts found among the new entries of an import, and the deliveries of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select, update
from sqlmodel import Session, col

from store.database.statements import in_list, insert_new
from store.library import new_entries
from store.library.new_entries import NewEntries
from store.posting import personal_deliveries
from store.tables.library import EntryRow
from store.tables.readers import AlertPaperRow, AlertRow

_THIS_PAPER = update(AlertPaperRow).where(
    col(AlertPaperRow.alert_id) == bindparam("of_alert"),
    col(AlertPaperRow.paper_id) == bindparam("of_paper"),
)


@dataclass(frozen=True, slots=True)
class AlertMatch:
    """An alert, and an entry that its query matches, both by database id."""

    alert_id: int
    entry_id: int


def record_matches(
    session: Session,
    found: NewEntries,
    matches: Sequence[AlertMatch],
    due_at: datetime,
    now: datetime,
) -> int:
    """Record what alerts found, and enqueue a delivery for each channel that has any to tell.

    A paper that an alert told of before is not told again. Where another process recorded the same
    import meanwhile, or an alert was deleted, nothing is recorded of it.

    Args:
        session: a session.
        found: the entries that were matched; they are settled.
        matches: the matches, in the order in which they are told.
        due_at: the time, by the clock that a setting may move.
        now: the time, by the system clock.

    Returns:
        the number of deliveries.
    """
    if not new_entries.settle(session, found):
        return 0
    told = _add_papers(session, matches, now)
    channels: dict[int, list[tuple[int, int]]] = defaultdict(list)
    query = select(col(AlertRow.id), col(AlertRow.channel_id)).where(
        in_list(col(AlertRow.id), [alert for alert, _ in told])
    )
    channel_of = {row.id: row.channel_id for row in session.connection().execute(query)}
    for alert, paper in told:
        channels[channel_of[alert]].append((alert, paper))
    for channel, papers in sorted(channels.items()):
        delivery = personal_deliveries.enqueue_alerts(session, channel, due_at, now)
        rows = [{"of_alert": alert, "of_paper": paper} for alert, paper in papers]
        session.connection().execute(_THIS_PAPER.values(delivery_id=delivery), rows)
    return len(channels)


def _add_papers(
    session: Session, matches: Sequence[AlertMatch], now: datetime
) -> list[tuple[int, int]]:
    """Add the papers that alerts did not tell of before; return pairs of alert and paper."""
    connection = session.connection()
    entries = [each.entry_id for each in matches]
    query = select(col(EntryRow.id), col(EntryRow.paper_id)).where(
        in_list(col(EntryRow.id), entries)
    )
    paper_of = {row.id: row.paper_id for row in connection.execute(query)}
    locked = (
        select(col(AlertRow.id))
        .where(in_list(col(AlertRow.id), [each.alert_id for each in matches]))
        .order_by(col(AlertRow.id))
        .with_for_update(key_share=True)
    )
    there = set(connection.scalars(locked))
    rows = {
        (each.alert_id, paper_of[each.entry_id]): {
            "alert_id": each.alert_id,
            "paper_id": paper_of[each.entry_id],
            "entry_id": each.entry_id,
            "found_at": now,
        }
        # The first match of a paper is told, so the others are overwritten by it.
        for each in reversed(matches)
        if each.alert_id in there and each.entry_id in paper_of
    }
    new = insert_new(session, AlertPaperRow).returning(
        col(AlertPaperRow.alert_id), col(AlertPaperRow.paper_id)
    )
    if not rows:
        return []
    told = connection.execute(new, [rows[key] for key in sorted(rows)])
    return sorted((row.alert_id, row.paper_id) for row in told)
