#!/usr/bin/env node
// How fast TOON is through the published module, as a share of the native codec's speed: the same documents, text to text
// and bytes to bytes, turn by turn. CPU time of the thread that does the work where the system tells it; the fastest turn of
// each counts. The native side is the release profile's, as it ships.
//
//   cargo wasm && node npm/scripts/bench-toon.mjs [SET …]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from './build.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TURNS = 9;
/** Calls in a turn: the clock ticks every few milliseconds. */
const RUNS = 8;

const scratch = mkdtempSync(join(tmpdir(), 'caveman-bench-'));
const [main] = build({ out: scratch });
const { load } = await import(pathToFileURL(join(main, 'core/index.mjs')));
const caveman = await load();

const native = spawn('cargo', ['bench', '--quiet', '--package', 'caveman-tests', '--bench', 'toon', '--', 'serve', scratch], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
const answers = createInterface({ input: native.stdout })[Symbol.asyncIterator]();
const sets = (await answers.next()).value.split(' ').filter((name) => process.argv.length === 2 || process.argv.includes(name));

console.log(`Node.js ${process.versions.node}\nset         verb    from      input MB   native MB/s   wasm MB/s   wasm/native`);
let least = Infinity;
for (const set of sets) {
  for (const verb of ['encode', 'decode']) {
    for (const form of ['text', 'bytes']) {
      const bytes = readFileSync(join(scratch, `${set}.${verb === 'encode' ? 'json' : 'toon'}`));
      const input = form === 'text' ? bytes.toString() : new Uint8Array(bytes);
      const run = verb === 'encode' ? () => caveman.toonEncode(input) : () => caveman.toonDecode(input);
      const best = [Infinity, Infinity];
      for (let turn = 0; turn < TURNS; turn++) {
        native.stdin.write(`${set} ${verb} ${form} ${RUNS}\n`);
        best[0] = Math.min(best[0], Number((await answers.next()).value));
        const from = now();
        for (let i = 0; i < RUNS; i++) run();
        best[1] = Math.min(best[1], now() - from);
      }
      const speed = best.map((nanoseconds) => ((bytes.length * RUNS) / nanoseconds) * 1000);
      const share = best[0] / best[1];
      least = Math.min(least, share);
      const columns = [set.padEnd(12), verb.padEnd(8), form.padEnd(6), (bytes.length / 1e6).toFixed(2).padStart(12), speed[0].toFixed(1).padStart(14), speed[1].toFixed(1).padStart(12), share.toFixed(2).padStart(14)];
      console.log(columns.join(''));
    }
  }
}
console.log(`the least share: ${least.toFixed(2)}`);
native.stdin.end();
rmSync(scratch, { recursive: true, force: true });

/** Nanoseconds of CPU time of this thread since it began; elsewhere of the clock. */
function now() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]);
  } catch {
    return performance.now() * 1e6;
  }
}
