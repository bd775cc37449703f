"""Numbers of alerts that are given once: an old button never stops another alert."""

from alembic import op

revision, down_revision = "0028", "0027"


def upgrade() -> None:
    """Make SQLite count on from the highest number that there was, as Postgres does.

    It can't alter a table so. Dropping the old one deletes what refers to it, which is put back.
    """
    if op.get_bind().dialect.name == "sqlite":
        for statement in _STEPS.split(";"):
            op.execute(statement)


_STEPS = """
CREATE TABLE alert_numbered (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, person_id INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  query VARCHAR NOT NULL, words VARCHAR NOT NULL, topic VARCHAR, source VARCHAR, author VARCHAR,
  created_at DATETIME NOT NULL, refusal VARCHAR, remedy VARCHAR, refusal_told BOOLEAN NOT NULL,
  UNIQUE (channel_id, query),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (channel_id) REFERENCES channel (id)
);
INSERT INTO alert_numbered (
  id, person_id, channel_id, query, words, topic, source, author, created_at, refusal, remedy,
  refusal_told
)
SELECT
  id, person_id, channel_id, query, words, topic, source, author, created_at, refusal, remedy,
  refusal_told
FROM alert;
CREATE TABLE kept_alert_key AS SELECT key, alert_id FROM alert_key;
CREATE TABLE kept_alert_paper AS
SELECT alert_id, paper_id, entry_id, delivery_id, found_at FROM alert_paper;
DROP TABLE alert;
ALTER TABLE alert_numbered RENAME TO alert;
CREATE INDEX ix_alert_channel_id ON alert (channel_id);
CREATE INDEX ix_alert_person_id ON alert (person_id);
INSERT INTO alert_key (key, alert_id) SELECT key, alert_id FROM kept_alert_key;
INSERT INTO alert_paper (alert_id, paper_id, entry_id, delivery_id, found_at)
SELECT alert_id, paper_id, entry_id, delivery_id, found_at FROM kept_alert_paper;
DROP TABLE kept_alert_key;
DROP TABLE kept_alert_paper
"""
