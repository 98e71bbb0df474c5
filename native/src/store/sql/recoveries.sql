CREATE TABLE IF NOT EXISTS recoveries (
    handle TEXT PRIMARY KEY,
    created_at TEXT,
    content_type TEXT,
    compressor TEXT,
    tokens_before INTEGER,
    tokens_after INTEGER,
    original BLOB NOT NULL,
    metadata BLOB
);
