// Loose originals: `objects/<hh>/<digits>` beside the database, the content and nothing else. For a runtime without
// SQLite; the native binary and runtimes with SQLite read them too.
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, readdirSync, renameSync, statSync, unlinkSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, corrupt, tooLarge, unknown } from './error.mjs';
import { createFolder, prepareFolder } from './place.mjs';

/** Where the loose original of a handle lies. */
function pathOf(folder, handle) {
  const digits = handle.slice('ccr_'.length);
  return join(folder, 'objects', digits.slice(0, 2), digits);
}

/** The checked bytes of a loose original; undefined when there is none. A symbolic link is none of ours. */
export function readLoose(folder, handle, handleOf) {
  const path = pathOf(folder, handle);
  let original;
  try {
    if (!lstatSync(path).isFile()) return undefined;
    original = readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new StoreError('cave_store_unavailable', `cannot read the original ${path}: ${error.message}`);
  }
  if (handleOf(original) !== handle) throw corrupt(handle, path);
  return original;
}

export class FileStore {
  #folder;
  #limit;
  #handleOf;
  #held;
  #refusal;

  constructor(settings, handleOf) {
    this.#folder = dirname(settings.recoveryDb);
    this.#limit = settings.maxBytes;
    this.#handleOf = handleOf;
  }

  put(entry, original, nowMs) {
    try {
      this.#put(entry.handle, original, nowMs);
      this.#refusal = undefined;
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
  }

  #put(handle, original, nowMs) {
    const folder = prepareFolder(this.#folder);
    const path = pathOf(folder, handle);
    try {
      const kept = readFileSync(path);
      if (kept.equals(original)) {
        utimesSync(path, nowMs / 1000, nowMs / 1000);
        return;
      }
    } catch {
      // Not there, or not readable: it is written anew.
    }
    const held = this.#count(folder);
    if (this.#limit > 0 && held.bytes + original.length > this.#limit) {
      if (original.length > this.#limit) throw tooLarge(original.length, this.#limit);
      throw new StoreError('cave_store_full', `no room for ${original.length} bytes, the recovery store holds ${held.bytes} of ${this.#limit} bytes; raise CAVEMAN_CCR_MAX_BYTES`);
    }
    const temporary = `${path}.${crypto.randomUUID()}.tmp`;
    try {
      createFolder(dirname(path));
      writeDurably(temporary, original);
      renameSync(temporary, path);
    } catch (error) {
      try {
        unlinkSync(temporary);
      } catch {
        // It was never there.
      }
      const code = error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'cave_store_full' : 'cave_store_unavailable';
      throw new StoreError(code, `cannot write the original ${path}: ${error.message}`);
    }
    held.entries += 1;
    held.bytes += original.length;
  }

  get(reference) {
    if (!/^ccr_[0-9a-f]{32}$/.test(reference)) throw unknown(reference);
    const original = readLoose(this.#folder, reference, this.#handleOf);
    if (original === undefined) throw unknown(reference);
    return { original, contentType: '', tokensBefore: 0 };
  }

  info() {
    const { entries, bytes } = this.#count(this.#folder);
    return { kind: 'files', entries, bytes, limit_bytes: this.#limit, state: this.#refusal?.message ?? 'ok' };
  }

  tokensEver() {
    return [0, 0];
  }

  close() {}

  /** How much is held: counted once, then kept up by what this process adds. */
  #count(folder) {
    if (this.#held !== undefined) return this.#held;
    const held = { entries: 0, bytes: 0 };
    for (const half of list(join(folder, 'objects'))) {
      for (const name of list(join(folder, 'objects', half))) {
        if (!/^[0-9a-f]{32}$/.test(name)) continue;
        const found = statSync(join(folder, 'objects', half, name), { throwIfNoEntry: false });
        if (found === undefined) continue;
        held.entries += 1;
        held.bytes += found.size;
      }
    }
    this.#held = held;
    return held;
  }
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function writeDurably(path, bytes) {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
