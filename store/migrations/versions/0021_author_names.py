"""An index of arXiv's authors by the words of their names."""

import sqlalchemy as sa
from alembic import op

from store.text import fold

revision = "0021"
down_revision = "0020"

_BYTEWISE = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_LONGEST_NAME = 200
_AT_ONCE = 1000


def upgrade() -> None:
    """Create the index, with the authors of all papers; older programs may go on.

    What these write meanwhile is indexed once arXiv is asked about those papers again.
    """
    table = op.create_table(
        "author_word",
        *(sa.Column(name, _BYTEWISE, primary_key=True) for name in ("word", "arxiv_id", "name")),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    authors = sa.table("arxiv", sa.column("arxiv_id"), sa.column("authors", sa.JSON()))
    for papers in connection.execute(sa.select(authors)).partitions(_AT_ONCE):
        rows = {row for paper in papers for row in _rows(*paper)}
        keys = ("word", "name", "arxiv_id")
        if rows:
            connection.execute(
                sa.insert(table), [dict(zip(keys, row, strict=True)) for row in sorted(rows)]
            )


def _rows(arxiv_id: str, authors: list[str] | None) -> set[tuple[str, str, str]]:
    names = {fold(author)[:_LONGEST_NAME].strip() for author in authors or ()}
    return {(word, name, arxiv_id) for name in names for word in name.split()}
