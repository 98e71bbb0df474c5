#!/usr/bin/env node
// Has Binaryen go over the wasm artifact, in place: a step of a release. It takes a minute, and what it gives is tested again.
//
//   cargo wasm && node npm/scripts/optimize.mjs
//   CAVEMAN_TEST_WASM=target/wasm/caveman_core_bg.wasm cargo parity
import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sizes, told } from './sizes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOOL = join(ROOT, 'tests/node/node_modules/binaryen/bin/wasm-opt');
// What the compiler was allowed to use, and nothing more.
const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'sign-ext'];

const artifact = join(ROOT, 'target/wasm/caveman_core_bg.wasm');
console.log(told(sizes(artifact)));
const optimised = `${artifact}.new`;
const args = [TOOL, artifact, '-O3', '--mvp-features', ...FEATURES.map((feature) => `--enable-${feature}`), '--output', optimised];
const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
if (status !== 0) throw new Error(`wasm-opt: ${error ?? status}`);
renameSync(optimised, artifact);
console.log(told(sizes(artifact)));
