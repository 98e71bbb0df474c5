// The command line without the native binary: the server, and the verbs that need nothing else of the system. The same
// arguments, output and exit statuses as the binary's.
import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Trap, contained, core, opened, start, textOf } from './engine.mjs';
import * as log from './log.mjs';
import { readSettings } from './settings.mjs';
import { StoreError } from './store/error.mjs';
import { storeOf } from './store/index.mjs';

/** What the user asked for cannot be meant; the data is not what the verb takes; the recovery store failed. */
const [USAGE, BAD_DATA, STORE] = [2, 65, 74];
/** The largest payload that is read whole; a longer one is passed through as it streams by. */
const MAX_BYTES = 64 * 1024 * 1024;

const HELP = `Shrinks what an AI agent reads, and keeps every original recoverable on this machine.

Usage: caveman-mcp [COMMAND]

Commands:
  serve                        Serve MCP on stdin and stdout [--tools LIST]
  compress [FILE]              Shrink a payload [--type KIND] [--query WORDS] [--budget TOKENS] [--json]
  retrieve HANDLE              Print an original, or the parts that match [--query WORDS] [--json]
  detect [FILE]                Print what a payload is [--json]
  stats                        Print how many tokens were saved [--json]
  toon encode [FILE]           JSON to TOON [--delimiter comma|tab|pipe] [--indent SPACES]
  toon decode [FILE]           TOON to JSON [--lenient] [--indent SPACES]

Options:
  -V, --version [--json]       Print the version
  -h, --help                   Print this

There is no native binary here, so this is the wasm core in Node.js: the same answers, and no other commands.
Without a command: serves MCP on stdin and stdout when stdin is not a terminal, else prints this.
`;

class Failure extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** Runs a command line; `module` is the core, or a promise of it. */
export async function main(args, module) {
  // A reader that goes away (`| head`) is an ordinary end, not a failure.
  process.stdout.on('error', () => process.exit(0));
  try {
    await dispatch(args, module);
  } catch (error) {
    const { status, text } = explained(error);
    log.error(text);
    process.exitCode = status;
  }
}

function explained(error) {
  if (error instanceof Failure) return { status: error.status, text: error.message };
  if (error instanceof StoreError) {
    // That there is no such original is an answer; that the store cannot tell is a failure of the store.
    const isAnswer = error.code === 'cave_unknown_handle' || error.code === 'cave_expired_handle';
    return { status: isAnswer ? 1 : STORE, text: `${error.code}: ${error.message}` };
  }
  if (error instanceof Trap) return { status: 1, text: `internal error at ${error.message}; please report it` };
  if (error.code?.startsWith('ERR_PARSE_ARGS')) return { status: USAGE, text: error.message };
  throw error;
}

async function dispatch(args, module) {
  const [verb, ...rest] = args;
  if (verb === '-h' || verb === '--help' || verb === 'help') return print(HELP);
  if (verb === '-V' || verb === '--version') return printVersion(rest);
  if (verb === undefined && process.stdin.isTTY) return print(HELP);
  if (verb === 'hook') return undefined; // On any problem a hook prints nothing and the host goes on.
  const run = VERBS[verb ?? 'serve'];
  if (run === undefined) {
    throw new Failure(USAGE, `no such command here: ${verb}; see caveman-mcp --help`);
  }
  const { settings, bad } = readSettings();
  log.setLevel(settings.log);
  if (run === serve) {
    // A server that does not start helps nobody: it says what is wrong and goes on with the defaults.
    for (const problem of bad) log.warn(`${problem}; the default holds`);
  } else if (bad.length > 0) {
    throw new Failure(USAGE, bad[0]);
  }
  start(await module);
  await run(rest, settings);
}

const VERBS = { serve, compress, retrieve, detect, stats, toon };

async function serve(args, settings) {
  const { values } = parseArgs({ args, options: { tools: { type: 'string' } } });
  let tools = values.tools ?? settings.tools ?? '';
  const wrong = core.sessionOpen(tools);
  if (wrong !== '') {
    // A wrong flag is a wrong usage; a wrong variable must not keep the server from starting.
    if (values.tools !== undefined) throw new Failure(USAGE, `--tools: ${wrong}`);
    log.warn(`CAVEMAN_MCP_TOOLS: ${wrong}; all are served`);
    tools = '';
  }
  const server = await import('./server.mjs');
  server.serve({ tools, store: storeOf(settings, core.handleOf) });
}

async function compress(args, settings) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      type: { type: 'string', short: 't' },
      'content-type': { type: 'string' },
      query: { type: 'string', short: 'q' },
      budget: { type: 'string', short: 'b' },
      json: { type: 'boolean' },
    },
  });
  const asked = { content_type: values.type ?? values['content-type'], query: values.query, token_budget: count('--budget', values.budget) };
  const payload = await read(positionals, (head, rest) => passThrough(head, rest, values.json));
  if (payload === undefined) return;
  const compressed = (options) => {
    const answer = opened(contained(() => core.compress(payload, JSON.stringify(options))));
    if (answer.figures.error !== undefined) throw new Failure(USAGE, answer.figures.message);
    return answer;
  };
  let answer = compressed(asked);
  if (answer.figures.recovery_handle !== null) {
    const store = storeOf(settings, core.handleOf);
    try {
      const { recovery_handle: handle, content_type, method: compressor, tokens_before, tokens_after } = answer.figures;
      store.put({ handle, content_type, compressor, tokens_before, tokens_after }, payload, Date.now());
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.warn(`passed through, the original cannot be stored: ${error.code}: ${error.message}`);
      answer = compressed({ ...asked, cannot_store: error.message, cannot_store_code: error.code });
    } finally {
      store.close();
    }
  }
  if (values.json) {
    const text = textOf(answer.payload);
    return print(text === undefined ? answer.json : `${answer.json.slice(0, -1)},"output":${JSON.stringify(text)}}`);
  }
  process.stdout.write(answer.payload);
  if (process.stdout.isTTY) summarise(answer.figures);
}

function summarise({ content_type, tokens_before, tokens_after, recovery_handle, reason }) {
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  const saved = Math.floor(((tokens_before - tokens_after) * 100) / Math.max(tokens_before, 1));
  process.stderr.write(
    recovery_handle === null
      ? `caveman-mcp: ${content_type}: ${grouped(tokens_before)} tokens, passed through (${reason})\n`
      : `caveman-mcp: ${content_type}: ${grouped(tokens_before)} -> ${grouped(tokens_after)} tokens, ${saved} % saved (inferred); original ${recovery_handle}\n`,
  );
}

async function retrieve(args, settings) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { query: { type: 'string', short: 'q' }, json: { type: 'boolean' } },
  });
  if (positionals.length !== 1) throw new Failure(USAGE, 'give one handle');
  const reference = core.parseHandle(positionals[0]);
  if (reference === '') {
    throw new Failure(USAGE, `${JSON.stringify(positionals[0])} is no handle: give ccr_ and 32 hexadecimal digits`);
  }
  const store = storeOf(settings, core.handleOf);
  const { original, contentType, tokensBefore } = store.get(reference, Date.now());
  store.close();
  const query = values.query ?? '';
  const view = query.trim() === '' ? undefined : opened(contained(() => core.retrieveView(original, contentType, query)));
  const isNarrowed = view?.figures.view === true;
  if (values.json) {
    const figures = { recovery_handle: reference, bytes: original.length, tokens_before: tokensBefore };
    if (isNarrowed) Object.assign(figures, { units_shown: view.figures.shown, units_matching: view.figures.matching, view_bytes: view.payload.length });
    return print(JSON.stringify(figures));
  }
  if (isNarrowed) return print(Buffer.from(view.payload).toString());
  process.stdout.write(original);
}

async function detect(args) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } });
  const payload = await read(positionals, tooLong);
  const json = contained(() => core.detect(payload));
  print(values.json ? json : JSON.parse(json).content_type);
}

async function stats(args, settings) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
  const store = storeOf(settings, core.handleOf);
  const info = store.info();
  const [before, after] = info.kind === 'none' ? [0, 0] : store.tokensEver();
  store.close();
  const saved = Math.max(before - after, 0);
  const percent = Math.floor((saved * 100) / Math.max(before, 1));
  if (values.json) {
    const ratio = Number((saved / Math.max(before, 1)).toFixed(4));
    return print(JSON.stringify({ tokens_before: before, tokens_after: after, ratio, basis: 'inferred', token_count_basis: 'o200k_base', scope: 'store', store: info }));
  }
  print(`tokens before   ${before}\ntokens after    ${after}\ntokens saved    ${saved} (${percent} %, inferred)\noriginals kept  ${info.entries} (${info.bytes} bytes)\nstore           ${info.state}\n`);
}

const DELIMITERS = { comma: ',', tab: '\t', pipe: '|' };

async function toon(args) {
  const [direction, ...rest] = args;
  const indent = { type: 'string', short: 'i', default: '2' };
  const flags = {
    encode: { delimiter: { type: 'string', short: 'd', default: 'comma' }, indent },
    decode: { lenient: { type: 'boolean', short: 'l' }, indent },
  }[direction];
  if (flags === undefined) throw new Failure(USAGE, 'toon encode or toon decode');
  const { values, positionals } = parseArgs({ args: rest, allowPositionals: true, options: flags });
  if (!/^\d{1,3}$/.test(values.indent) || Number(values.indent) < 1 || Number(values.indent) > 255) {
    throw new Failure(USAGE, `--indent: ${JSON.stringify(values.indent)} is not a number of spaces from 1 to 255`);
  }
  const asked = { indent_size: Number(values.indent) };
  if (direction === 'decode') {
    asked.strict = !values.lenient;
  } else {
    asked.delimiter = Object.hasOwn(DELIMITERS, values.delimiter) ? DELIMITERS[values.delimiter] : undefined;
    if (asked.delimiter === undefined) throw new Failure(USAGE, `--delimiter: ${JSON.stringify(values.delimiter)} is none of ${Object.keys(DELIMITERS).join(', ')}`);
  }
  const payload = await read(positionals, () => {
    throw new Failure(BAD_DATA, 'the payload is longer than 64 MiB');
  });
  const verb = direction === 'encode' ? core.toonEncodeBytes : core.toonDecodeBytes;
  const { figures, payload: recoded } = opened(contained(() => verb(payload, JSON.stringify(asked))));
  const { error, message, caret } = figures;
  if (error !== undefined) throw new Failure(BAD_DATA, [`${error}: ${message}`, caret].filter(Boolean).join('\n'));
  process.stdout.write(recoded);
}

async function printVersion(args) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } });
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (!values.json) return print(`${name} ${version}`);
  print(JSON.stringify({ name, version, token_count_basis: 'o200k_base', runtime: `wasm in Node.js ${process.versions.node}`, os: process.platform, arch: process.arch }));
}

function count(flag, text) {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(number)) throw new Failure(USAGE, `${flag}: ${JSON.stringify(text)} is not a number of tokens`);
  return number;
}

/** The payload, whole; where it is too long, `onLong` gets what was read and the rest, and there is none. */
async function read(positionals, onLong) {
  if (positionals.length > 1) throw new Failure(USAGE, 'give one file');
  const file = positionals[0] ?? '-';
  if (file === '-' && process.stdin.isTTY) log.warn('reading from the terminal; end with Ctrl-D');
  const source = file === '-' ? process.stdin : createReadStream(file);
  const chunks = [];
  let length = 0;
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > MAX_BYTES) {
        await onLong(chunks, iterator);
        return undefined;
      }
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(1, `cannot read ${file === '-' ? 'stdin' : file}: ${error.message}`);
  }
  return Buffer.concat(chunks);
}

function tooLong() {
  throw new Failure(1, `the payload is longer than ${MAX_BYTES} bytes`);
}

async function passThrough(head, rest, asJson) {
  const why = 'longer than 64 MiB: passed through';
  let length = 0;
  const chunks = (async function* () {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  })();
  for await (const chunk of chunks) {
    length += chunk.length;
    if (!asJson && !process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  if (!asJson) return log.warn(why);
  print(JSON.stringify({ ratio: 0, basis: 'inferred', input_bytes: length, recovery_handle: null, method: 'none', lossless_to_model: true, reason: 'too_large', note: why }));
}

/** Text of our own, ending its last line. */
function print(text) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
