// The store that touches no disk, for CAVEMAN_MCP_EPHEMERAL=1.
import { StoreError } from './error.mjs';

export class MemoryStore {
  #originals = new Map();
  #bytes = 0;
  #limit;

  constructor(limit) {
    this.#limit = limit;
  }

  put(entry, original) {
    if (this.#originals.has(entry.handle)) return;
    if (this.#limit > 0 && this.#bytes + original.length > this.#limit) {
      throw new StoreError('cave_store_full', `the recovery store is full at ${this.#limit} bytes`);
    }
    this.#bytes += original.length;
    this.#originals.set(entry.handle, { original, contentType: entry.content_type, tokensBefore: entry.tokens_before });
  }

  get(reference) {
    const found = this.#originals.get(reference);
    if (found === undefined) throw new StoreError('cave_unknown_handle', `no original is stored under ${reference}`);
    return found;
  }

  info() {
    return { kind: 'memory', entries: this.#originals.size, bytes: this.#bytes, limit_bytes: this.#limit, state: 'ok' };
  }

  tokensEver() {
    return [0, 0];
  }

  close() {}
}
