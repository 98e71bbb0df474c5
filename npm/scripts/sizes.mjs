#!/usr/bin/env node
// How large the wasm artifact is, part by part.
//
//   cargo wasm && node npm/scripts/sizes.mjs [FILE]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATA = 11;

/** Bytes of the module, of all of it but the data (the tables of the token counter and the texts), and of both compressed. */
export function sizes(file = join(ROOT, 'target/wasm/caveman_core_bg.wasm')) {
  const module = readFileSync(file);
  const program = withoutData(module);
  return { module: module.length, program: program.length, moduleBrotli: compressed(module), programBrotli: compressed(program) };
}

/** The sizes in one line. */
export function told({ module, program, moduleBrotli, programBrotli }) {
  const kib = (bytes) => `${Math.ceil(bytes / 1024)} KiB`;
  return `module ${kib(module)} (brotli ${kib(moduleBrotli)}), without data ${kib(program)} (brotli ${kib(programBrotli)})`;
}

function compressed(bytes) {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
}

/** The module without its data section. */
function withoutData(module) {
  const kept = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const from = at;
    const id = module[at++];
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++];
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    at += length;
    if (id !== DATA) kept.push(module.subarray(from, at));
  }
  return Buffer.concat(kept);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(told(sizes(process.argv[2])));
