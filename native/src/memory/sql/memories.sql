CREATE TABLE IF NOT EXISTS memories (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    created_at TEXT,
    valid_from TEXT,
    valid_until TEXT,
    supersedes TEXT,
    superseded_by TEXT
);
