CREATE TABLE IF NOT EXISTS caveman_uses (
    handle TEXT PRIMARY KEY NOT NULL,
    n_bytes INTEGER NOT NULL,
    used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS caveman_uses_by_age ON caveman_uses (used);
CREATE TABLE IF NOT EXISTS caveman_totals (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    n_entries INTEGER NOT NULL,
    n_bytes INTEGER NOT NULL,
    tokens_before INTEGER NOT NULL,
    tokens_after INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS caveman_tombstones (
    handle TEXT PRIMARY KEY NOT NULL,
    created_at TEXT,
    expired_at TEXT NOT NULL
) WITHOUT ROWID;
