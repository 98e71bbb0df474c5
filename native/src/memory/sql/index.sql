DROP TABLE IF EXISTS cavemem_docs;
DROP TABLE IF EXISTS cavemem_postings;
DROP TABLE IF EXISTS cavemem_state;
CREATE TABLE cavemem_docs (
    doc INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    handle BLOB NOT NULL
);
CREATE INDEX cavemem_docs_by_handle ON cavemem_docs (handle);
CREATE TABLE cavemem_postings (
    term TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    docs BLOB NOT NULL,
    PRIMARY KEY (term, chunk)
) WITHOUT ROWID;
CREATE TABLE cavemem_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    n_docs INTEGER NOT NULL,
    n_terms INTEGER NOT NULL,
    has_traces INTEGER NOT NULL
);
