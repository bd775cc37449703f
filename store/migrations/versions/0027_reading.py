"""Papers that people have read, and the last changes of each, which they may take back."""

from alembic import op

revision, down_revision = "0027", "0026"

_SQLITE = {"id": "id INTEGER NOT NULL", "instant": "DATETIME"}
_POSTGRES = {"id": "id SERIAL NOT NULL", "instant": "TIMESTAMP WITH TIME ZONE"}


def upgrade() -> None:
    """Add a column and a table; a program of before knows neither."""
    words = _SQLITE if op.get_bind().dialect.name == "sqlite" else _POSTGRES
    for statement in _STEPS.format(**words).split(";"):
        op.execute(statement)


_STEPS = """
ALTER TABLE seen_paper ADD COLUMN read_at {instant};
CREATE TABLE recent_change (
  {id}, person_id INTEGER NOT NULL, workspace_id INTEGER, changed_at {instant} NOT NULL,
  was VARCHAR NOT NULL, commands JSON NOT NULL, why VARCHAR NOT NULL,
  request VARCHAR, undone_by VARCHAR,
  PRIMARY KEY (id), UNIQUE (person_id, request),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id) REFERENCES workspace (id) ON DELETE CASCADE
);
CREATE INDEX ix_recent_change_workspace_id ON recent_change (workspace_id)
"""
