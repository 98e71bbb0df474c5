// The compression core for JavaScript programs: pages, workers, Node.js, Bun, Deno. It opens no connection and keeps
// originals where it is told to, in memory by default.
import init from './caveman_core.js';
import { Trap, contained, core, opened, textOf } from './door.mjs';

/** A failure with its stable code, and for TOON the place of the offence. */
export class CavemanError extends Error {
  constructor({ error, message, line, column }) {
    super(message);
    this.name = 'CavemanError';
    this.code = error;
    if (line !== undefined) Object.assign(this, { line, column });
  }
}

/** Loads the core, once per program. `module` is where it is: by default the file beside this one. */
export async function load({ module, store = memoryStore() } = {}) {
  await init({ module_or_path: module ?? (await beside()) });
  return new Caveman(store);
}

async function beside() {
  const url = new URL('./caveman_core_bg.wasm', import.meta.url);
  if (url.protocol !== 'file:') return url;
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
  return readFile(url);
}

/** Originals in memory, dropped with the program. */
export function memoryStore() {
  const originals = new Map();
  return {
    put: (entry, original) => void originals.set(entry.handle, { original: original.slice(), contentType: entry.contentType }),
    get: (handle) => originals.get(handle),
  };
}

class Caveman {
  #store;
  #totals = { tokensBefore: 0, tokensAfter: 0, requests: 0, passedThrough: 0, retrieves: 0, retrievedTokens: 0 };

  constructor(store) {
    this.#store = store;
  }

  compress(payload, { contentType, query, tokenBudget, elided } = {}) {
    const original = bytesOf(payload);
    const asked = { content_type: contentType, query, token_budget: tokenBudget, elided };
    let { figures, output } = this.#compressed(original, asked);
    if (figures.recovery_handle !== null) {
      try {
        const entry = { handle: figures.recovery_handle, contentType: figures.content_type, compressor: figures.method, tokensBefore: figures.tokens_before, tokensAfter: figures.tokens_after };
        this.#store.put(entry, original);
      } catch (error) {
        // What cannot be kept is not shortened.
        ({ figures, output } = this.#compressed(original, { ...asked, cannot_store: String(error?.message ?? error) }));
      }
    }
    const totals = this.#totals;
    totals.requests += 1;
    totals.passedThrough += figures.reason === undefined ? 0 : 1;
    totals.tokensBefore += figures.tokens_before;
    totals.tokensAfter += figures.tokens_after;
    return {
      output,
      text: textOf(output),
      contentType: figures.content_type,
      tokensBefore: figures.tokens_before,
      tokensAfter: figures.tokens_after,
      ratio: figures.ratio,
      basis: figures.basis,
      recoveryHandle: figures.recovery_handle,
      method: figures.method,
      losslessToModel: figures.lossless_to_model,
      reason: figures.reason,
      withinBudget: figures.within_budget,
      note: figures.note,
      elided: figures.elided?.map(([from, to, start, end, units]) => ({ marker: { start: from, end: to }, original: { start, end }, units })),
    };
  }

  #compressed(original, asked) {
    const { figures, payload } = answer(() => core.compress(original, JSON.stringify(asked)));
    return { figures, output: payload };
  }

  retrieve(handle, { query = '' } = {}) {
    const reference = core.parseHandle(handle);
    const found = reference === '' ? undefined : this.#store.get(reference);
    if (found === undefined) {
      throw new CavemanError({ error: 'cave_unknown_handle', message: `no original is stored under ${reference || handle}` });
    }
    const { original, contentType = '' } = found;
    if (reference.startsWith('ccr_') && !reference.startsWith('ccr_obj_') && core.handleOf(original) !== reference) {
      throw new CavemanError({ error: 'cave_store_corrupt', message: `what is stored under ${reference} does not have that hash` });
    }
    const view = query.trim() === '' ? undefined : answer(() => core.retrieveView(original, contentType, query));
    const isView = view?.figures.view === true;
    const output = isView ? view.payload : original;
    const text = textOf(output);
    this.#totals.retrieves += 1;
    this.#totals.retrievedTokens += text === undefined ? 0 : core.countTokens(text);
    return { output, text, isView, shown: view?.figures.shown, matching: view?.figures.matching };
  }

  detect(payload) {
    const { content_type, language, scores = {} } = JSON.parse(call(() => core.detect(bytesOf(payload))));
    return { contentType: content_type, language, scores };
  }

  stats() {
    const { tokensBefore, tokensAfter } = this.#totals;
    return { ...this.#totals, ratio: tokensBefore === 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore, basis: 'inferred', scope: 'session' };
  }

  toonEncode(json, { delimiter, indentSize } = {}) {
    const verb = typeof json === 'string' ? core.toonEncode : core.toonEncodeBytes;
    return answer(() => verb(json, JSON.stringify({ delimiter, indent_size: indentSize }))).payload;
  }

  toonDecode(toon, { indentSize, strict } = {}) {
    const verb = typeof toon === 'string' ? core.toonDecode : core.toonDecodeBytes;
    return answer(() => verb(toon, JSON.stringify({ indent_size: indentSize, strict }))).payload;
  }

  countTokens(text) {
    return call(() => core.countTokens(text));
  }

  handleOf(original) {
    return core.handleOf(bytesOf(original));
  }
}

/** Calls into the core; a trap is thrown as a failure of this one call. */
function call(run) {
  try {
    return contained(run);
  } catch (error) {
    if (!(error instanceof Trap)) throw error;
    throw new CavemanError({ error: 'cave_internal_error', message: `internal error at ${error.message}` });
  }
}

/** What an envelope holds; a failure is thrown. */
function answer(run) {
  const envelope = opened(call(run));
  if (envelope.figures.error !== undefined) throw new CavemanError(envelope.figures);
  return envelope;
}

const bytesOf = (payload) => (typeof payload === 'string' ? new TextEncoder().encode(payload) : payload);
