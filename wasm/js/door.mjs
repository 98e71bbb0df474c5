// The exports of the core as programs call them: a trap ends one call, and an envelope is opened.
import * as core from './caveman_core.js';

export { core };

/** The core stopped in the middle of a call; a new instance has taken its place. */
export class Trap extends Error {}

/** Calls into the core. A trap ends the instance, not the program: memory that a huge payload took goes with it. */
export function contained(call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    let place = '';
    try {
      place = core.lastPanic();
    } catch {
      // After a stack overflow the dead instance has no room left to answer.
    }
    core.__wbg_reset_state();
    throw new Trap(place || error.message);
  }
}

const LINE_FEED = 10;
const utf8 = new TextDecoder();

/** An envelope, of text or of bytes: its line of JSON as it stands and parsed, and the payload after it. */
export function opened(envelope) {
  const isText = typeof envelope === 'string';
  const end = envelope.indexOf(isText ? '\n' : LINE_FEED);
  const json = isText ? envelope.slice(0, end) : utf8.decode(envelope.subarray(0, end));
  return { json, figures: JSON.parse(json), payload: isText ? envelope.slice(end + 1) : envelope.subarray(end + 1) };
}

/** Bytes as text; undefined when they are none. */
export function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
