#!/usr/bin/env node
// Assembles the playground in target/playground from what lies here, the wasm artifact and the samples.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SAMPLES } from './samples.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
/** What is not part of the page. */
const NOT_SERVED = new Set(['build.mjs', 'screenshot.png']);

/** Builds into `out` and gives its path. */
export function build(out = join(ROOT, 'target/playground')) {
  const artifact = join(ROOT, 'target/wasm');
  if (!existsSync(join(artifact, 'caveman_core_bg.wasm'))) throw new Error('there is no wasm artifact: run `cargo wasm`');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'samples'), { recursive: true });
  for (const name of readdirSync(HERE)) {
    if (!NOT_SERVED.has(name)) cpSync(join(HERE, name), join(out, name), { recursive: true });
  }
  for (const folder of [artifact, join(ROOT, 'wasm/js')]) cpSync(folder, join(out, 'core'), { recursive: true, filter: (path) => !path.endsWith('.d.ts') });
  for (const [file] of SAMPLES) cpSync(join(ROOT, 'tests/samples', file), join(out, 'samples', file));
  return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(build());
