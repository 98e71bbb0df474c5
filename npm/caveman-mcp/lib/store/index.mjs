// Where originals are kept: in memory when asked, in the SQLite file that the native binary shares where this runtime has
// SQLite, else in loose files beside it, which the native binary reads too.
//
// A store has put(entry, original, nowMs), get(reference, nowMs), info(), tokensEver() and close(). It opens nothing before
// it is used, so that a server that never compresses never touches the disk.
import { createRequire } from 'node:module';
import { StoreError } from './error.mjs';
import { FileStore } from './files.mjs';
import { MemoryStore } from './memory.mjs';
import { SqliteStore } from './sqlite.mjs';

export function storeOf(settings, handleOf) {
  if (settings.isEphemeral) return new MemoryStore(settings.maxBytes);
  if (settings.recoveryDb === undefined) {
    return new NoStore('there is no home folder for the recovery store: set CAVEMAN_HOME or CAVEMAN_CCR_DB');
  }
  const sqlite = builtInSqlite();
  return sqlite === undefined ? new FileStore(settings, handleOf) : new SqliteStore(settings, handleOf, sqlite);
}

/** The runtime's SQLite. Older Node has none, or only behind a flag. */
function builtInSqlite() {
  const emit = process.emitWarning;
  // Node 22 says on stderr that the module is experimental; what we use of it is tested there.
  process.emitWarning = (warning, ...rest) => {
    if (!/sqlite/i.test(String(warning?.message ?? warning))) emit.call(process, warning, ...rest);
  };
  try {
    return createRequire(import.meta.url)('node:sqlite').DatabaseSync;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emit;
  }
}

/** A store that never was: there is no place for one. */
class NoStore {
  #why;

  constructor(why) {
    this.#why = why;
  }

  put() {
    throw new StoreError('cave_store_unavailable', this.#why);
  }

  get() {
    throw new StoreError('cave_store_unavailable', this.#why);
  }

  info() {
    return { kind: 'none', entries: 0, bytes: 0, limit_bytes: 0, state: this.#why };
  }

  tokensEver() {
    return [0, 0];
  }

  close() {}
}
