"""Ids for rows before they are written, so that many go in at once and none is asked back.

A batch with `RETURNING` costs three times a plain one.
"""

from sqlalchemy import Connection, Table, text


def next_ids(connection: Connection, table: Table, count: int) -> list[int]:
    """Return so many ids that no row of a table has or will be given by anyone else.

    SQLite has one writer, who holds the file since the transaction began; Postgres takes
    them from the table's sequence.
    """
    if not count:
        return []
    if connection.dialect.name == "sqlite":
        last = connection.execute(_LAST[table.name]).scalar_one()
        return list(range(last + 1, last + 1 + count))
    taken = connection.execute(_TAKE, {"table": table.name, "count": count})
    return list(taken.scalars())


_LAST = {
    name: text(f"SELECT coalesce(max(id), 0) FROM {name}")  # noqa: S608 - our own names
    for name in ("entry", "paper")
}
_TAKE = text("SELECT nextval(pg_get_serial_sequence(:table, 'id')) FROM generate_series(1, :count)")
