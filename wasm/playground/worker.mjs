// The core, off the page's own thread: it compresses, retrieves and lays texts out as rows. One question at a time, one
// answer each: { id, verb, args } -> { id, result } or { id, error }.
import { load } from './core/index.mjs';
import { inUnits, layout } from './layout.mjs';

/** The line that names the handle, at the end of an output. */
const HANDLE_LINE = /\[caveman: [^\n]*caveman_retrieve\("ccr_[0-9a-f]{32}"\)\]\n?$/;

const loading = load();
let payload = new Uint8Array();
let texts = { before: '', after: '', toon: '', found: '' };

const VERBS = {
  /** A payload, as text or as the bytes of a file. Gives its text when they are bytes. */
  take(_, { text, bytes }) {
    payload = bytes === undefined ? new TextEncoder().encode(text) : new Uint8Array(bytes);
    const decoded = text ?? decodedOf(payload);
    texts.before = decoded ?? '';
    return { bytes: payload.length, isText: decoded !== undefined, text: bytes === undefined ? undefined : decoded };
  },

  /** The payload compressed, and both sides as rows. */
  compress(core, { options, columns }) {
    const { output, text = '', elided = [], ...figures } = core.compress(payload, { ...options, elided: true });
    texts.after = text;
    const markers = elided.map(({ marker }) => marker);
    const closing = figures.recoveryHandle === null ? null : HANDLE_LINE.exec(text);
    const marked = Array.from(inUnits(output, text, markers));
    if (closing !== null) marked.push(closing.index, closing.index + closing[0].trimEnd().length, elided.length);
    return {
      figures,
      units: elided.map(({ units }) => units),
      scores: core.detect(payload).scores,
      before: { ...layout(texts.before, columns.before), marks: inUnits(payload, texts.before, elided.map(({ original }) => original)) },
      after: { text, ...layout(text, columns.after), marks: Uint32Array.from(marked) },
    };
  },

  retrieve(core, { handle, query, columns }) {
    const { text, isView, shown, matching, output } = core.retrieve(handle, { query });
    texts.found = text ?? '';
    return { text: text ?? '', isView, shown, matching, bytes: output.length, tokens: core.countTokens(texts.found), isWhole: core.handleOf(output) === handle, ...layout(texts.found, columns) };
  },

  /** A part of the payload that was elided, for the same pane as a retrieved text. */
  part(core, { start, end, columns }) {
    texts.found = texts.before.slice(start, end);
    return { text: texts.found, bytes: new TextEncoder().encode(texts.found).length, tokens: core.countTokens(texts.found), ...layout(texts.found, columns) };
  },

  toon(core, { direction, columns }) {
    const input = texts.before;
    try {
      texts.toon = direction === 'encode' ? core.toonEncode(input) : core.toonDecode(input);
    } catch (error) {
      texts.toon = '';
      if (!/^cave_(not_encodable|invalid_)/.test(error.code ?? '')) throw error;
      return { failure: { code: error.code, message: error.message, line: error.line, column: error.column } };
    }
    return { text: texts.toon, tokensBefore: core.countTokens(input), tokens: core.countTokens(texts.toon), ...layout(texts.toon, columns) };
  },

  /** One of the texts again, for another width. */
  layout: (_, { name, columns }) => layout(texts[name], columns),
};

function decodedOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

addEventListener('message', async ({ data: { id, verb, args } }) => {
  try {
    postMessage({ id, result: VERBS[verb](await loading, args) });
  } catch (error) {
    postMessage({ id, error: error.message });
  }
});
