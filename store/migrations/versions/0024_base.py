"""The schema before the first release, from which later revisions go on.

Commits up to the one that `store.errors.SchemaTooOld` names have the steps that led to it.
"""

from alembic import op

revision = "0024"
down_revision = None

# The words in which the databases differ.
_SQLITE = {
    "id": "id INTEGER NOT NULL",
    "instant": "DATETIME",
    "false": "0",
    # Text in the order of its bytes, as SQLite compares any.
    "bytewise": "VARCHAR",
    "without_rowid": "WITHOUT ROWID",
}
_POSTGRES = {
    "id": "id SERIAL NOT NULL",
    "instant": "TIMESTAMP WITH TIME ZONE",
    "false": "false",
    "bytewise": 'VARCHAR COLLATE "C"',
    "without_rowid": "",
}

_LIBRARY = """
CREATE TABLE source (slug VARCHAR NOT NULL, title VARCHAR NOT NULL, PRIMARY KEY (slug));
CREATE TABLE followed_source (
  source VARCHAR NOT NULL, enabled BOOLEAN NOT NULL, weekday INTEGER, hour TIME,
  PRIMARY KEY (source),
  FOREIGN KEY (source) REFERENCES source (slug)
);
CREATE TABLE source_address (
  {id}, source VARCHAR NOT NULL,
  kind VARCHAR, url VARCHAR NOT NULL, etag VARCHAR, last_modified VARCHAR,
  tried_at {instant}, fetched_at {instant}, failing_since {instant}, error VARCHAR,
  predefined BOOLEAN DEFAULT {false} NOT NULL,
  PRIMARY KEY (id), UNIQUE (source, url),
  FOREIGN KEY (source) REFERENCES followed_source (source)
);
CREATE TABLE edition (
  {id}, source VARCHAR NOT NULL, kind VARCHAR NOT NULL, title VARCHAR NOT NULL,
  first_day DATE NOT NULL, last_day DATE NOT NULL, week VARCHAR NOT NULL,
  published_on DATE, year_rule VARCHAR, overview VARCHAR, minutes INTEGER, url VARCHAR,
  headings JSON NOT NULL, sample BOOLEAN NOT NULL,
  changed_at {instant} NOT NULL, arrived_at {instant},
  PRIMARY KEY (id), UNIQUE (source, first_day),
  FOREIGN KEY (source) REFERENCES source (slug)
);
CREATE INDEX ix_edition_last_day ON edition (last_day);
CREATE INDEX ix_edition_sample ON edition (sample);
CREATE INDEX ix_edition_week ON edition (week);
CREATE TABLE contribution (
  edition_id INTEGER NOT NULL,
  kind VARCHAR NOT NULL, digest VARCHAR NOT NULL, sample BOOLEAN NOT NULL,
  facts VARCHAR NOT NULL, imported_at {instant} NOT NULL,
  PRIMARY KEY (edition_id, kind),
  FOREIGN KEY (edition_id) REFERENCES edition (id)
);
CREATE TABLE document (
  key VARCHAR NOT NULL, source VARCHAR NOT NULL, kind VARCHAR NOT NULL,
  parsed JSON NOT NULL, imported_at {instant} NOT NULL,
  PRIMARY KEY (key)
);
CREATE TABLE paper (
  {id}, arxiv_id {bytewise}, doi VARCHAR, title_key VARCHAR NOT NULL, year INTEGER NOT NULL,
  PRIMARY KEY (id), UNIQUE (arxiv_id), UNIQUE (doi)
);
CREATE INDEX ix_paper_title_key_year ON paper (title_key, year);
CREATE TABLE paper_merge (
  one VARCHAR NOT NULL, other VARCHAR NOT NULL, at {instant} NOT NULL, PRIMARY KEY (one, other)
);
CREATE TABLE paper_split (ref VARCHAR NOT NULL, at {instant} NOT NULL, PRIMARY KEY (ref));
CREATE TABLE entry (
  {id}, edition_id INTEGER NOT NULL, paper_id INTEGER NOT NULL,
  ref VARCHAR NOT NULL, position INTEGER NOT NULL, rank INTEGER, episode VARCHAR,
  title VARCHAR NOT NULL, summary VARCHAR, highlights JSON NOT NULL,
  heading VARCHAR, section VARCHAR, links JSON NOT NULL, arxiv_id VARCHAR, doi VARCHAR,
  title_key VARCHAR NOT NULL, topics JSON DEFAULT '[]' NOT NULL, name_key VARCHAR,
  PRIMARY KEY (id), UNIQUE (edition_id, ref),
  FOREIGN KEY (edition_id) REFERENCES edition (id),
  FOREIGN KEY (paper_id) REFERENCES paper (id)
);
CREATE INDEX ix_entry_paper_id ON entry (paper_id);
CREATE INDEX ix_entry_ref ON entry (ref);
CREATE INDEX ix_entry_title_key ON entry (title_key);
CREATE TABLE entry_topic (
  topic VARCHAR NOT NULL, entry_id INTEGER NOT NULL,
  PRIMARY KEY (topic, entry_id),
  FOREIGN KEY (entry_id) REFERENCES entry (id)
);
CREATE INDEX ix_entry_topic_entry_id ON entry_topic (entry_id);
CREATE TABLE entry_word (
  word {bytewise} NOT NULL, entry_id INTEGER NOT NULL,
  PRIMARY KEY (word, entry_id),
  FOREIGN KEY (entry_id) REFERENCES entry (id)
) {without_rowid};
CREATE INDEX ix_entry_word_entry_id ON entry_word (entry_id);
CREATE TABLE word (word VARCHAR NOT NULL, PRIMARY KEY (word)) {without_rowid};
CREATE TABLE acronym (
  letters VARCHAR NOT NULL, words VARCHAR NOT NULL, PRIMARY KEY (letters, words)
) {without_rowid};
CREATE TABLE content (
  {id}, version VARCHAR NOT NULL, rules VARCHAR NOT NULL, PRIMARY KEY (id)
);
CREATE TABLE consensus_rank (
  edition_id INTEGER NOT NULL, rank INTEGER NOT NULL, entry_id INTEGER NOT NULL,
  PRIMARY KEY (edition_id, rank),
  FOREIGN KEY (edition_id) REFERENCES edition (id) ON DELETE CASCADE,
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE CASCADE
);
CREATE INDEX ix_consensus_rank_entry_id ON consensus_rank (entry_id);
CREATE TABLE arxiv (
  arxiv_id {bytewise} NOT NULL, version INTEGER, title VARCHAR,
  authors JSON DEFAULT '[]' NOT NULL, abstract VARCHAR, categories JSON DEFAULT '[]' NOT NULL,
  submitted_at {instant}, updated_at {instant}, comment VARCHAR, journal_ref VARCHAR,
  doi VARCHAR, withdrawn BOOLEAN DEFAULT {false} NOT NULL,
  asked_at {instant} NOT NULL, checked_at {instant}, misses INTEGER NOT NULL,
  PRIMARY KEY (arxiv_id)
);
CREATE TABLE author_word (
  word {bytewise} NOT NULL, arxiv_id {bytewise} NOT NULL, name {bytewise} NOT NULL,
  PRIMARY KEY (word, arxiv_id, name)
) {without_rowid}
"""

_WORKSPACES = """
CREATE TABLE workspace (
  {id}, platform VARCHAR NOT NULL, external_id VARCHAR NOT NULL,
  left_at {instant}, cooldown_until {instant}, welcomed_at {instant},
  PRIMARY KEY (id), UNIQUE (platform, external_id)
);
CREATE INDEX ix_workspace_cooldown_until ON workspace (cooldown_until);
CREATE INDEX ix_workspace_left_at ON workspace (left_at);
CREATE TABLE channel (
  {id}, workspace_id INTEGER NOT NULL,
  external_id VARCHAR NOT NULL, name VARCHAR, private BOOLEAN DEFAULT {false} NOT NULL,
  kind VARCHAR, direct BOOLEAN DEFAULT {false} NOT NULL,
  PRIMARY KEY (id), UNIQUE (workspace_id, external_id),
  FOREIGN KEY (workspace_id) REFERENCES workspace (id)
);
CREATE TABLE workspace_setting (
  workspace_id INTEGER NOT NULL, name VARCHAR NOT NULL, value VARCHAR NOT NULL,
  PRIMARY KEY (workspace_id, name),
  FOREIGN KEY (workspace_id) REFERENCES workspace (id)
);
CREATE TABLE command_string (
  digest VARCHAR NOT NULL, command VARCHAR NOT NULL, kept_at {instant} NOT NULL,
  PRIMARY KEY (digest)
);
CREATE INDEX ix_command_string_kept_at ON command_string (kept_at);
CREATE TABLE installation (
  {id}, platform VARCHAR NOT NULL, client_id VARCHAR NOT NULL,
  enterprise_id VARCHAR NOT NULL, team_id VARCHAR NOT NULL,
  bot_token VARCHAR NOT NULL, bot_id VARCHAR NOT NULL, bot_user_id VARCHAR NOT NULL,
  bot_scopes JSON NOT NULL, app_id VARCHAR NOT NULL, installer VARCHAR NOT NULL,
  enterprise_name VARCHAR NOT NULL, team_name VARCHAR NOT NULL, is_org_wide BOOLEAN NOT NULL,
  installed_at {instant} NOT NULL, updated_at {instant} NOT NULL,
  PRIMARY KEY (id), UNIQUE (platform, client_id, enterprise_id, team_id)
)
"""

_POSTING = """
CREATE TABLE subscription (
  {id}, channel_id INTEGER NOT NULL,
  state VARCHAR(32) NOT NULL, weekday INTEGER NOT NULL, local_time TIME NOT NULL,
  zone VARCHAR NOT NULL, sources JSON NOT NULL, topics JSON NOT NULL, not_topics JSON NOT NULL,
  size INTEGER NOT NULL, layout VARCHAR(32) NOT NULL, patience INTEGER NOT NULL,
  owner VARCHAR NOT NULL, paused_until {instant}, next_due_at {instant}, open_due_at {instant},
  open_until {instant}, missed_at {instant},
  refusal VARCHAR, remedy VARCHAR, refusal_code VARCHAR,
  cancelled_at {instant}, personal BOOLEAN DEFAULT {false} NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (channel_id) REFERENCES channel (id)
);
CREATE INDEX ix_subscription_channel_id ON subscription (channel_id);
CREATE INDEX ix_subscription_cancelled_at_state_next_due_at
  ON subscription (cancelled_at, state, next_due_at);
CREATE INDEX ix_subscription_cancelled_at_state_open_until
  ON subscription (cancelled_at, state, open_until);
CREATE INDEX ix_subscription_cancelled_at_state_paused_until
  ON subscription (cancelled_at, state, paused_until);
CREATE TABLE delivery (
  {id}, subscription_id INTEGER, edition_id INTEGER,
  state VARCHAR(32) NOT NULL, attempts INTEGER NOT NULL,
  due_at {instant} NOT NULL, enqueued_at {instant} NOT NULL, ready_at {instant},
  owner VARCHAR, fencing_token INTEGER NOT NULL, send_anyway BOOLEAN NOT NULL,
  layout VARCHAR(32), size INTEGER, topics JSON, not_topics JSON,
  content_at {instant}, sent_at {instant}, error VARCHAR,
  votes_changed BOOLEAN DEFAULT {false} NOT NULL, channel_id INTEGER,
  PRIMARY KEY (id), UNIQUE (subscription_id, edition_id),
  FOREIGN KEY (subscription_id) REFERENCES subscription (id),
  FOREIGN KEY (edition_id) REFERENCES edition (id),
  FOREIGN KEY (channel_id) REFERENCES channel (id)
);
CREATE INDEX ix_delivery_channel_id ON delivery (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX ix_delivery_edition_id_content_at ON delivery (edition_id, content_at);
CREATE INDEX ix_delivery_owner ON delivery (owner) WHERE owner IS NOT NULL;
CREATE INDEX ix_delivery_ready_at ON delivery (ready_at)
  WHERE owner IS NULL AND ready_at IS NOT NULL;
CREATE UNIQUE INDEX ix_delivery_subscription_id_due_at ON delivery (subscription_id, due_at)
  WHERE edition_id IS NULL AND subscription_id IS NOT NULL;
CREATE TABLE delivery_part (
  delivery_id INTEGER NOT NULL,
  number INTEGER NOT NULL, key VARCHAR NOT NULL, refs JSON NOT NULL, state VARCHAR(32) NOT NULL,
  digest VARCHAR, place VARCHAR, message VARCHAR, url VARCHAR, began_at {instant},
  PRIMARY KEY (delivery_id, number), UNIQUE (key),
  FOREIGN KEY (delivery_id) REFERENCES delivery (id)
);
CREATE INDEX ix_delivery_part_message ON delivery_part (message);
CREATE TABLE notice (
  {id}, subscription_id INTEGER NOT NULL,
  key VARCHAR NOT NULL, sentence VARCHAR NOT NULL, remedy VARCHAR NOT NULL,
  attempts INTEGER NOT NULL, began_at {instant}, ready_at {instant} NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (subscription_id) REFERENCES subscription (id)
);
CREATE INDEX ix_notice_ready_at ON notice (ready_at);
CREATE INDEX ix_notice_subscription_id ON notice (subscription_id)
"""

_READERS = """
CREATE TABLE person (
  {id}, workspace_id INTEGER NOT NULL, external_id VARCHAR NOT NULL, welcomed_at {instant},
  PRIMARY KEY (id), UNIQUE (workspace_id, external_id),
  FOREIGN KEY (workspace_id) REFERENCES workspace (id) ON DELETE CASCADE
);
CREATE TABLE brief (
  {id}, person_id INTEGER NOT NULL, minutes INTEGER NOT NULL, asked_at {instant} NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE INDEX ix_brief_person_id ON brief (person_id);
CREATE TABLE personal_command_string (
  person_id INTEGER NOT NULL,
  digest VARCHAR NOT NULL, command VARCHAR NOT NULL, kept_at {instant} NOT NULL,
  PRIMARY KEY (person_id, digest),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE INDEX ix_personal_command_string_digest ON personal_command_string (digest);
CREATE INDEX ix_personal_command_string_kept_at ON personal_command_string (kept_at);
CREATE TABLE saved_paper (
  person_id INTEGER NOT NULL, paper_id INTEGER NOT NULL, entry_id INTEGER,
  title VARCHAR NOT NULL, saved_at {instant} NOT NULL, note VARCHAR,
  PRIMARY KEY (person_id, paper_id),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (paper_id) REFERENCES paper (id),
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE SET NULL
);
CREATE INDEX ix_saved_paper_entry_id ON saved_paper (entry_id);
CREATE INDEX ix_saved_paper_paper_id ON saved_paper (paper_id);
CREATE TABLE seen_paper (
  person_id INTEGER NOT NULL, paper_id INTEGER NOT NULL, entry_id INTEGER,
  seen_at {instant} NOT NULL, brief_id INTEGER, position INTEGER, delivery_id INTEGER,
  PRIMARY KEY (person_id, paper_id),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (paper_id) REFERENCES paper (id),
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE SET NULL,
  FOREIGN KEY (brief_id) REFERENCES brief (id) ON DELETE CASCADE,
  FOREIGN KEY (delivery_id) REFERENCES delivery (id)
);
CREATE INDEX ix_seen_paper_brief_id ON seen_paper (brief_id);
CREATE INDEX ix_seen_paper_entry_id ON seen_paper (entry_id);
CREATE INDEX ix_seen_paper_paper_id ON seen_paper (paper_id);
CREATE TABLE dismissed_paper (
  person_id INTEGER NOT NULL, paper_id INTEGER NOT NULL, entry_id INTEGER,
  dismissed_at {instant} NOT NULL,
  PRIMARY KEY (person_id, paper_id),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (paper_id) REFERENCES paper (id),
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE SET NULL
);
CREATE INDEX ix_dismissed_paper_entry_id ON dismissed_paper (entry_id);
CREATE INDEX ix_dismissed_paper_paper_id ON dismissed_paper (paper_id);
CREATE TABLE vote (
  person_id INTEGER NOT NULL, workspace_id INTEGER NOT NULL, paper_id INTEGER NOT NULL,
  entry_id INTEGER, voted_at {instant} NOT NULL,
  PRIMARY KEY (person_id, workspace_id, paper_id),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id) REFERENCES workspace (id) ON DELETE CASCADE,
  FOREIGN KEY (paper_id) REFERENCES paper (id),
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE SET NULL
);
CREATE INDEX ix_vote_entry_id ON vote (entry_id);
CREATE INDEX ix_vote_paper_id_workspace_id ON vote (paper_id, workspace_id);
CREATE INDEX ix_vote_workspace_id_paper_id ON vote (workspace_id, paper_id);
CREATE TABLE seen_list (
  person_id INTEGER NOT NULL,
  place VARCHAR NOT NULL, refs JSON NOT NULL, first INTEGER NOT NULL, more VARCHAR, back VARCHAR,
  listed_at {instant}, it VARCHAR, it_at {instant},
  PRIMARY KEY (person_id, place),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE
);
CREATE TABLE shared_list (
  channel_id INTEGER NOT NULL,
  refs JSON NOT NULL, first INTEGER NOT NULL, more VARCHAR, back VARCHAR,
  listed_at {instant}, it VARCHAR, it_at {instant},
  PRIMARY KEY (channel_id),
  FOREIGN KEY (channel_id) REFERENCES channel (id) ON DELETE CASCADE
)
"""

_ALERTS = """
CREATE TABLE alert (
  {id}, person_id INTEGER NOT NULL, channel_id INTEGER NOT NULL,
  query VARCHAR NOT NULL, words VARCHAR NOT NULL, topic VARCHAR, source VARCHAR, author VARCHAR,
  created_at {instant} NOT NULL, refusal VARCHAR, remedy VARCHAR, refusal_told BOOLEAN NOT NULL,
  PRIMARY KEY (id), UNIQUE (channel_id, query),
  FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE,
  FOREIGN KEY (channel_id) REFERENCES channel (id)
);
CREATE INDEX ix_alert_channel_id ON alert (channel_id);
CREATE INDEX ix_alert_person_id ON alert (person_id);
CREATE TABLE alert_key (
  key {bytewise} NOT NULL, alert_id INTEGER NOT NULL,
  PRIMARY KEY (key, alert_id),
  FOREIGN KEY (alert_id) REFERENCES alert (id) ON DELETE CASCADE
) {without_rowid};
CREATE INDEX ix_alert_key_alert_id ON alert_key (alert_id);
CREATE TABLE alert_paper (
  alert_id INTEGER NOT NULL, paper_id INTEGER NOT NULL, entry_id INTEGER, delivery_id INTEGER,
  found_at {instant} NOT NULL,
  PRIMARY KEY (alert_id, paper_id),
  FOREIGN KEY (alert_id) REFERENCES alert (id) ON DELETE CASCADE,
  FOREIGN KEY (paper_id) REFERENCES paper (id),
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE SET NULL,
  FOREIGN KEY (delivery_id) REFERENCES delivery (id)
);
CREATE INDEX ix_alert_paper_delivery_id ON alert_paper (delivery_id);
CREATE INDEX ix_alert_paper_entry_id ON alert_paper (entry_id);
CREATE INDEX ix_alert_paper_paper_id ON alert_paper (paper_id);
CREATE TABLE new_entry (
  entry_id INTEGER NOT NULL,
  source VARCHAR NOT NULL, imported_at {instant} NOT NULL, state VARCHAR(32) NOT NULL,
  PRIMARY KEY (entry_id),
  FOREIGN KEY (entry_id) REFERENCES entry (id) ON DELETE CASCADE
);
CREATE INDEX ix_new_entry_state ON new_entry (state)
"""

_COORDINATION = """
CREATE TABLE lease (
  name VARCHAR NOT NULL, owner VARCHAR, heartbeat INTEGER NOT NULL, PRIMARY KEY (name)
);
CREATE TABLE job (
  name VARCHAR NOT NULL, owner VARCHAR, fencing_token INTEGER NOT NULL,
  next_at {instant} NOT NULL, failures INTEGER NOT NULL,
  PRIMARY KEY (name)
);
CREATE TABLE rate_limit (
  key VARCHAR NOT NULL, free_at {instant} NOT NULL, slow_until {instant}, PRIMARY KEY (key)
);
CREATE INDEX ix_rate_limit_free_at ON rate_limit (free_at);
CREATE TABLE request_claim (key VARCHAR NOT NULL, claimed_at {instant} NOT NULL, PRIMARY KEY (key));
CREATE INDEX ix_request_claim_claimed_at ON request_claim (claimed_at);
CREATE TABLE schema_support (oldest VARCHAR NOT NULL, PRIMARY KEY (oldest));
INSERT INTO schema_support (oldest) VALUES ('0019')
"""

# FTS5 keeps its own copy of the folded text: an external-content index breaks silently as
# soon as one statement goes past its triggers, and this text is not stored elsewhere.
_ON_SQLITE = """
CREATE INDEX ix_entry_arxiv_id ON entry (arxiv_id) WHERE arxiv_id IS NOT NULL;
CREATE INDEX ix_entry_doi ON entry (doi) WHERE doi IS NOT NULL;
CREATE INDEX ix_entry_name_key ON entry (name_key) WHERE name_key IS NOT NULL;
CREATE VIRTUAL TABLE entry_text USING fts5(
  title, summary, highlights, heading, section, tokenize = 'porter unicode61'
)
"""

# Its stemmer and that of FTS5 part ways at some words, so the stems are made before they come here.
# Tables had other names once, which live on in those of their constraints and sequences: a later
# revision finds one name in every store.
_ON_POSTGRES = """
CREATE INDEX ix_entry_arxiv_id ON entry (arxiv_id);
CREATE INDEX ix_entry_doi ON entry (doi);
CREATE INDEX ix_entry_name_key ON entry (name_key);
CREATE TABLE entry_text (
  rowid INTEGER PRIMARY KEY,
  title TEXT NOT NULL, summary TEXT NOT NULL, highlights TEXT NOT NULL,
  heading TEXT NOT NULL, section TEXT NOT NULL,
  words TSVECTOR NOT NULL DEFAULT ''
);
CREATE INDEX ix_entry_text_words ON entry_text USING gin (words);
ALTER SEQUENCE person_id_seq RENAME TO member_id_seq;
ALTER SEQUENCE source_address_id_seq RENAME TO address_id_seq;
ALTER TABLE brief RENAME CONSTRAINT brief_person_id_fkey TO brief_member_id_fkey;
ALTER TABLE command_string RENAME CONSTRAINT command_string_pkey TO line_pkey;
ALTER TABLE consensus_rank RENAME CONSTRAINT consensus_rank_edition_id_fkey
  TO fused_edition_id_fkey;
ALTER TABLE consensus_rank RENAME CONSTRAINT consensus_rank_entry_id_fkey TO fused_entry_id_fkey;
ALTER TABLE consensus_rank RENAME CONSTRAINT consensus_rank_pkey TO fused_pkey;
ALTER TABLE followed_source RENAME CONSTRAINT followed_source_pkey TO followed_pkey;
ALTER TABLE followed_source RENAME CONSTRAINT followed_source_source_fkey TO followed_source_fkey;
ALTER TABLE job RENAME CONSTRAINT job_pkey TO run_pkey;
ALTER TABLE person RENAME CONSTRAINT person_pkey TO member_pkey;
ALTER TABLE person RENAME CONSTRAINT person_workspace_id_external_id_key
  TO member_workspace_id_external_id_key;
ALTER TABLE person RENAME CONSTRAINT person_workspace_id_fkey TO member_workspace_id_fkey;
ALTER TABLE personal_command_string RENAME CONSTRAINT personal_command_string_person_id_fkey
  TO own_line_member_id_fkey;
ALTER TABLE personal_command_string RENAME CONSTRAINT personal_command_string_pkey TO own_line_pkey;
ALTER TABLE rate_limit RENAME CONSTRAINT rate_limit_pkey TO budget_pkey;
ALTER TABLE request_claim RENAME CONSTRAINT request_claim_pkey TO claim_pkey;
ALTER TABLE source_address RENAME CONSTRAINT source_address_pkey TO address_pkey;
ALTER TABLE source_address RENAME CONSTRAINT source_address_source_fkey TO address_source_fkey;
ALTER TABLE source_address RENAME CONSTRAINT source_address_source_url_key TO address_source_url_key
"""


def upgrade() -> None:
    """Create all tables."""
    words, own = (
        (_SQLITE, _ON_SQLITE)
        if op.get_bind().dialect.name == "sqlite"
        else (_POSTGRES, _ON_POSTGRES)
    )
    for room in (_LIBRARY, _WORKSPACES, _POSTING, _READERS, _ALERTS, _COORDINATION, own):
        for statement in room.format_map(words).split(";"):
            op.execute(statement)
