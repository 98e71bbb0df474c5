#!/usr/bin/env node
// How fast the wasm core serves, as a share of the native binary's speed: the same calls to both servers, the fastest of
// each counts. On Linux the processor time of the server is measured, so that a busy machine matters less.
//
//   cargo build --release -p caveman-native && cargo wasm && node npm/scripts/bench.mjs [FILE …]
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { sizes, told } from './sizes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = 15;
const MIN_BYTES = 200_000;

const native = process.env.CAVEMAN_TEST_BIN ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'release/caveman-mcp');
const scratch = mkdtempSync(join(tmpdir(), 'caveman-bench-'));
const [main] = build({ out: scratch });
const samples = join(ROOT, 'tests/samples');
const files = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(samples).sort().map((name) => join(samples, name));

const servers = [serve(native, ['serve']), serve(process.execPath, [join(main, 'bin/caveman-mcp.mjs'), 'serve'])];
const start = await Promise.all(servers.map((server) => server.ask('{"jsonrpc":"2.0","id":0,"method":"ping"}')));
console.log(`first answer after start: native ${start[0].toFixed(0)} ms, wasm ${start[1].toFixed(0)} ms (Node.js ${process.versions.node})`);
console.log('payload                     bytes   native MB/s   wasm MB/s   wasm/native');
let product = 1;
for (const file of files) {
  const text = grown(readFileSync(file, 'utf8'), file);
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'caveman_compress', arguments: { input: text } } });
  const best = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, server] of servers.entries()) best[at] = Math.min(best[at], await server.ask(line));
  }
  const speed = best.map((ms) => Buffer.byteLength(text) / ms / 1000);
  product *= best[0] / best[1];
  const columns = [basename(file).padEnd(24), String(Buffer.byteLength(text)).padStart(9), speed[0].toFixed(1).padStart(13), speed[1].toFixed(1).padStart(11), (best[0] / best[1]).toFixed(2).padStart(13)];
  console.log(columns.join(''));
}
console.log(`geometric mean of wasm/native: ${(product ** (1 / files.length)).toFixed(2)}`);
console.log(told(sizes()));
for (const server of servers) server.end();
rmSync(scratch, { recursive: true, force: true });

/** Lines repeat until the payload is long enough to time; JSON stays as it is. */
function grown(text, file) {
  if (/\.json$/.test(file)) return text;
  return text.repeat(Math.max(1, Math.ceil(MIN_BYTES / Math.max(text.length, 1))));
}

function serve(command, args) {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, CAVEMAN_MCP_EPHEMERAL: '1' } });
  let settle;
  let isFirst = true;
  child.stdout.on('data', (bytes) => bytes.at(-1) === 10 && settle());
  return {
    ask(line) {
      const now = isFirst ? () => performance.now() : () => clock(child.pid);
      const asked = isFirst ? began : now();
      isFirst = false;
      return new Promise((resolve) => {
        settle = () => resolve(now() - asked);
        child.stdin.write(`${line}\n`);
      });
    },
    end: () => child.stdin.end(),
  };
}

/** Milliseconds of processor time that all threads of a process took, where the system tells them. */
function clock(pid) {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(`${tasks}/${pid}/schedstat`)) return performance.now();
  const nanoseconds = readdirSync(tasks).map((task) => Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'utf8'), 10));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
