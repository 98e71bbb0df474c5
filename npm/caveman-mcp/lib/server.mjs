// The MCP server on stdin and stdout, by the session in the wasm core: bytes in, one line per answer out, until the input
// ends. Everything is done in the turn in which its bytes come, so answers keep the order of the requests.
import { Trap, contained, core } from './engine.mjs';
import { StoreError } from './store/error.mjs';
import * as log from './log.mjs';

const LINE_FEED = 10;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const [LINE, NOTHING, PENDING] = [...'lnp'].map((tag) => tag.charCodeAt(0));

/** Serves until the input ends or the output is closed. `tools` is a list that the core has accepted. */
export function serve({ tools, store, input = process.stdin, output = process.stdout }) {
  core.sessionOpen(tools);
  const lines = new Lines();
  const answerAll = () => {
    for (const frame of lines.take()) {
      const reply = answer(frame, store, tools);
      if (reply.length > 0) output.write(reply);
      contained(core.sessionDone);
    }
  };
  // A client that closed its end wants no more answers: an ordinary end.
  output.on('error', () => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
  input.on('data', (chunk) => {
    lines.push(chunk);
    answerAll();
  });
  input.on('end', () => {
    lines.finish();
    answerAll();
    store.close();
  });
  input.on('error', (error) => {
    log.error(`cannot read stdin: ${error.message}`);
    process.exitCode = 1;
  });
}

/** Cuts the input by the core's own rules. An unfinished line waits here, so that a trap takes no input with it. */
class Lines {
  #held = [];
  #heldBytes = 0;

  push(chunk) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      this.#hold(chunk.subarray(0, end));
      this.#release();
    }
    this.#hold(chunk.subarray(end));
    // Too long for a line already: the core keeps its id only, and nothing is answered before it ends.
    if (this.#heldBytes > MAX_LINE_BYTES) this.#release();
  }

  finish() {
    this.#release();
    core.framerFinish();
  }

  take() {
    const frames = [];
    for (let frame = core.framerTake(); frame.length > 0; frame = core.framerTake()) frames.push(frame);
    return frames;
  }

  #hold(bytes) {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #release() {
    for (const bytes of this.#held) core.framerPush(bytes);
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** The reply to a frame, with its line feed; empty when none is to be sent. Everything it discloses is stored by then. */
function answer(frame, store, tools) {
  try {
    return contained(() => converse(frame, store));
  } catch (error) {
    if (!(error instanceof Trap)) throw error;
    log.error(`internal error at ${error.message}; please report it`);
    core.sessionOpen(tools);
    return core.sessionPanicked(frame, error.message);
  }
}

function converse(frame, store) {
  if (frame[0] === LINE && Buffer.from(frame.buffer).includes('stats')) core.sessionStore(JSON.stringify(store.info()));
  for (;;) {
    const reply = core.sessionHandle(frame, Date.now());
    if (reply[0] === PENDING) {
      bring(Buffer.from(reply.subarray(1)).toString(), store);
    } else if (keepAll(store)) {
      return reply[0] === NOTHING ? reply.subarray(0, 0) : reply.subarray(1);
    }
  }
}

/** Gives the session an original that it wants, or the reason why there is none. */
function bring(reference, store) {
  try {
    const { original, contentType, tokensBefore } = store.get(reference, Date.now());
    core.sessionSupply(reference, original, contentType, tokensBefore);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    core.sessionSupplyError(reference, error.code, error.message);
  }
}

/** Keeps what the answer discloses; false when it could not be kept and the frame must be handled without it. */
function keepAll(store) {
  const puts = core.sessionPuts();
  if (puts === '[]') return true;
  try {
    JSON.parse(puts).forEach((put, at) => store.put(put, core.sessionOriginal(at), Date.now()));
    return true;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    core.sessionRefuse(error.code, error.message);
    return false;
  }
}
