// The wasm core in this process, and what happens when it traps.
import * as core from '../core/caveman_core.js';

export { core };

/** Starts the core from its compiled module. */
export function start(module) {
  core.initSync({ module });
}

/** The core stopped in the middle of a call; a new instance has taken its place. */
export class Trap extends Error {}

/** Calls into the core. A trap ends the instance, not the process: memory that a huge payload took goes with it. */
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

/** An envelope: the line of JSON as it stands and parsed, and the payload after it. */
export function open(envelope) {
  const end = envelope.indexOf(LINE_FEED);
  const json = Buffer.from(envelope.buffer, envelope.byteOffset, end).toString();
  return { json, figures: JSON.parse(json), payload: envelope.subarray(end + 1) };
}
