// The database that the native binary keeps (same tables, same triggers, same rules), through the runtime's own SQLite.
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError, corrupt, tooLarge, unknown } from './error.mjs';
import { readLoose } from './files.mjs';
import { checkAbsent, prepareFile } from './place.mjs';

/** The busy budget: how long a call waits for other programs in all. */
const BUSY_MS = 5000;
const PAUSE_MS = 7;
const DAY_SECONDS = 86_400;

const sql = (name) => readFileSync(new URL(`../../core/sql/${name}.sql`, import.meta.url), 'utf8');

const NAMES = ['recoveries', 'caveman_uses', 'caveman_uses_by_age', 'caveman_totals', 'caveman_tombstones', 'caveman_inserted', 'caveman_deleted', 'caveman_updated'];
const LATER_COLUMNS = { created_at: 'TEXT', content_type: 'TEXT', compressor: 'TEXT', tokens_before: 'INTEGER', tokens_after: 'INTEGER', metadata: 'BLOB' };

// Primary result codes of SQLite.
const [BUSY, LOCKED, READONLY, CORRUPT, FULL, PROTOCOL, NOTADB] = [5, 6, 8, 11, 13, 15, 26];

export class SqliteStore {
  #settings;
  #handleOf;
  #Database;
  #db;
  #file;
  #identity;
  #statements = new Map();
  #refusal;

  constructor(settings, handleOf, Database) {
    this.#settings = settings;
    this.#handleOf = handleOf;
    this.#Database = Database;
  }

  put(entry, original, nowMs) {
    try {
      this.#doing('write to', () => this.#put(entry, original, nowMs));
      this.#refusal = undefined;
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
  }

  #put(entry, original, nowMs) {
    this.#open();
    const now = Math.floor(nowMs / 1000);
    // An agent sends the same payload on many turns: that costs one read and takes no lock.
    if (this.#holds(entry.handle, original) && this.#isFresh(entry.handle, now) && !this.#isCopy(entry.handle)) return;
    this.#immediately(() => {
      if (this.#holds(entry.handle, original)) {
        this.#touch(entry.handle, now);
        if (this.#isCopy(entry.handle)) {
          this.#run(
            'UPDATE recoveries SET content_type = ?, compressor = ?, tokens_before = ?, tokens_after = ? WHERE handle = ?',
            entry.content_type, entry.compressor, entry.tokens_before, entry.tokens_after, entry.handle,
          );
        }
        return;
      }
      this.#makeRoom(original.length, nowMs);
      this.#run(
        `INSERT OR REPLACE INTO recoveries
            (handle, created_at, content_type, compressor, tokens_before, tokens_after, original)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        entry.handle, rfc3339(nowMs), entry.content_type, entry.compressor, entry.tokens_before, entry.tokens_after, original,
      );
    });
  }

  get(reference, nowMs) {
    return this.#doing('read an original from', () => {
      this.#open();
      return reference.startsWith('ccr_obj_') ? this.#object(reference) : this.#original(reference, nowMs);
    });
  }

  #original(handle, nowMs) {
    const row = this.#row('SELECT original, content_type, tokens_before FROM recoveries WHERE handle = ?', handle);
    if (row !== undefined) {
      const stored = storedOf(row);
      if (this.#handleOf(stored.original) === handle) {
        this.#recordUse(handle, Math.floor(nowMs / 1000));
        return stored;
      }
    }
    // A loose copy is as good: it is checked the same way.
    const original = readLoose(dirname(this.#file), handle, this.#handleOf);
    if (original !== undefined) return { original, contentType: '', tokensBefore: 0 };
    if (row !== undefined) throw corrupt(handle, this.#file);
    const tombstone = this.#row('SELECT expired_at FROM caveman_tombstones WHERE handle = ?', handle);
    if (tombstone === undefined) throw unknown(handle);
    throw new StoreError('cave_expired_handle', `the original of ${handle} was pruned from the recovery store on ${tombstone.expired_at}`);
  }

  /** An object of a sibling program, if that program has made its table. */
  #object(id) {
    if (this.#row("SELECT 1 FROM sqlite_master WHERE name = 'typed_objects'") === undefined) throw unknown(id);
    const row = this.#row('SELECT data AS original, NULL AS content_type, NULL AS tokens_before FROM typed_objects WHERE object_id = ?', id);
    if (row === undefined) throw unknown(id);
    return storedOf(row);
  }

  info() {
    const limit = this.#settings.maxBytes;
    try {
      return this.#doing('read the totals of', () => {
        if (this.#isAbsent()) {
          // Nothing is created in order to look.
          if (this.#refusal !== undefined) throw this.#refusal;
          checkAbsent(this.#settings.recoveryDb);
          return { kind: 'sqlite', entries: 0, bytes: 0, limit_bytes: limit, state: 'ok' };
        }
        this.#open();
        const { n_entries: entries, n_bytes: bytes } = this.#row('SELECT n_entries, n_bytes FROM caveman_totals');
        return { kind: 'sqlite', entries, bytes, limit_bytes: limit, state: this.#refusal?.message ?? 'ok' };
      });
    } catch (error) {
      return { kind: 'none', entries: 0, bytes: 0, limit_bytes: 0, state: error.message };
    }
  }

  tokensEver() {
    return this.#doing('read the totals of', () => {
      if (this.#isAbsent()) return [0, 0];
      this.#open();
      const { tokens_before, tokens_after } = this.#row('SELECT tokens_before, tokens_after FROM caveman_totals');
      return [tokens_before, tokens_after];
    });
  }

  close() {
    this.#statements.clear();
    this.#db?.close();
    this.#db = undefined;
  }

  /** Whether there is no database yet; false where the system does not tell. */
  #isAbsent() {
    try {
      lstatSync(this.#settings.recoveryDb);
      return false;
    } catch (error) {
      return error.code === 'ENOENT';
    }
  }

  /** Opens the database; anew when the file was deleted or replaced, because what is written to a file without a name is lost. */
  #open() {
    if (this.#db !== undefined && identity(this.#file) === this.#identity) return;
    this.close();
    this.#file = prepareFile(this.#settings.recoveryDb);
    const db = new this.#Database(this.#file);
    try {
      // First of all, and by PRAGMA: the option of the constructor is ignored by some versions.
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      within(() => db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL'));
      this.#db = db;
      this.#identity = identity(this.#file);
      this.#migrate();
    } catch (error) {
      this.#db = undefined;
      db.close();
      throw error;
    }
  }

  #migrate() {
    if (this.#isCurrent()) return;
    this.#immediately(() => {
      if (this.#isCurrent()) return;
      this.#db.exec(sql('recoveries'));
      for (const name of this.#missingColumns()) this.#db.exec(`ALTER TABLE recoveries ADD COLUMN ${name} ${LATER_COLUMNS[name]}`);
      for (const part of ['tables', 'triggers', 'take_in']) this.#db.exec(sql(part));
    });
  }

  #isCurrent() {
    const there = this.#db.prepare(`SELECT count(*) AS n FROM sqlite_master WHERE name IN (${NAMES.map((name) => `'${name}'`)})`).get().n;
    return there === NAMES.length && this.#missingColumns().length === 0;
  }

  #missingColumns() {
    const rows = this.#db.prepare("SELECT name FROM pragma_table_info('recoveries')").all();
    const there = new Set(rows.map(({ name }) => name.toLowerCase()));
    return Object.keys(LATER_COLUMNS).filter((name) => !there.has(name));
  }

  #holds(handle, original) {
    const row = this.#row('SELECT original FROM recoveries WHERE handle = ?', handle);
    return row !== undefined && Buffer.compare(storedOf(row).original, original) === 0;
  }

  /** Whether it is there for a memory only, which may take it away (`cavemem`): from now on it is there for its own sake. */
  #isCopy(handle) {
    return this.#row("SELECT 1 FROM recoveries WHERE handle = ? AND compressor = 'cavemem'", handle) !== undefined;
  }

  #isFresh(handle, now) {
    const row = this.#row('SELECT used FROM caveman_uses WHERE handle = ?', handle);
    return row !== undefined && row.used + DAY_SECONDS > now;
  }

  #touch(handle, now) {
    this.#run('UPDATE caveman_uses SET used = max(used, ?) WHERE handle = ?', now, handle);
  }

  /** Keeps an original that is still asked for from being pruned; not worth waiting for another program's lock. */
  #recordUse(handle, now) {
    if (this.#isFresh(handle, now)) return;
    try {
      this.#db.exec('PRAGMA busy_timeout = 0');
      this.#touch(handle, now);
    } catch {
      // The next get tries again.
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    }
  }

  /** Prunes, oldest first, until so many bytes fit; fails with nothing pruned when too little is old enough. */
  #makeRoom(bytes, nowMs) {
    const { maxBytes: limit, retentionDays: days } = this.#settings;
    if (limit === 0) return;
    if (bytes > limit) throw tooLarge(bytes, limit);
    const held = this.#row('SELECT n_bytes FROM caveman_totals').n_bytes;
    const excess = held + bytes - limit;
    if (excess <= 0) return;
    const old = days > 0 ? this.#prepared('SELECT handle, n_bytes FROM caveman_uses WHERE used < ? ORDER BY used, handle').all(Math.floor(nowMs / 1000) - days * DAY_SECONDS) : [];
    let freed = 0;
    const pruned = [];
    for (const row of old) {
      if (freed >= excess) break;
      freed += row.n_bytes;
      pruned.push(row.handle);
    }
    if (freed < excess) {
      const why = days === 0 ? 'CAVEMAN_CCR_RETENTION_DAYS=0 forbids pruning' : `nothing in it is unused for ${days} days`;
      throw new StoreError('cave_store_full', `no room for ${bytes} bytes, the recovery store is full: ${held} of ${limit} bytes and ${why}; raise CAVEMAN_CCR_MAX_BYTES or run \`caveman-mcp store prune\``);
    }
    for (const handle of pruned) {
      this.#run('INSERT OR REPLACE INTO caveman_tombstones (handle, created_at, expired_at) SELECT handle, created_at, ? FROM recoveries WHERE handle = ?', rfc3339(nowMs), handle);
      this.#run('DELETE FROM recoveries WHERE handle = ?', handle);
    }
  }

  #immediately(work) {
    within(() => this.#db.exec('BEGIN IMMEDIATE'));
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      try {
        this.#db.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back by itself.
      }
      throw error;
    }
  }

  #prepared(text) {
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = this.#db.prepare(text)));
    return statement;
  }

  #row(text, ...values) {
    return this.#prepared(text).get(...values);
  }

  #run(text, ...values) {
    this.#prepared(text).run(...values);
  }

  /** What SQLite reports, as the store's own errors. */
  #doing(what, work) {
    try {
      return work();
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const [code, why] = meaning(error);
      // After anything but waiting in vain the connection is better thrown away.
      if (code !== 'cave_store_busy' && code !== 'cave_store_full') this.#discard();
      throw new StoreError(code, `cannot ${what} the recovery store ${this.#file ?? this.#settings.recoveryDb}: ${why}`);
    }
  }

  #discard() {
    try {
      this.close();
    } catch {
      this.#db = undefined;
    }
  }
}

function meaning(error) {
  switch ((error.errcode ?? 0) & 0xff) {
    case BUSY:
    case LOCKED:
    case PROTOCOL:
      return ['cave_store_busy', 'another program holds its lock; try again'];
    case FULL:
      return ['cave_store_full', 'the disk is full'];
    case NOTADB:
      return ['cave_store_corrupt', 'it is not an SQLite database; move it away'];
    case CORRUPT:
      return ['cave_store_corrupt', 'the file is damaged; see `caveman-mcp store verify`'];
    case READONLY:
      return ['cave_store_unavailable', 'it cannot be written here'];
    default:
      return ['cave_store_unavailable', error.message];
  }
}

/** Repeats what SQLite reports busy without having waited, as it does while the journal mode changes hands. */
function within(work) {
  const end = Date.now() + BUSY_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (meaning(error)[0] !== 'cave_store_busy' || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/** Bytes, whether a program stored them as a blob or as text; a number is no original. */
function storedOf({ original, content_type: contentType, tokens_before: tokensBefore }) {
  const bytes = typeof original === 'string' ? Buffer.from(original) : original instanceof Uint8Array ? original : new Uint8Array();
  return {
    original: bytes,
    contentType: typeof contentType === 'string' ? contentType : '',
    tokensBefore: Number.isSafeInteger(tokensBefore) && tokensBefore > 0 ? tokensBefore : 0,
  };
}

function identity(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** As the native binary writes it: UTC, with milliseconds where there are any. */
const rfc3339 = (ms) => new Date(ms).toISOString();
