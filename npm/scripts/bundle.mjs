#!/usr/bin/env node
// Puts the MCP bundle together, for hosts that install servers from a file: the main package with its wasm core, which runs
// in the host's own Node.js on every platform. Validated and packed by the format's own tool.
//
//   node npm/scripts/bundle.mjs [--out FOLDER]        makes target/npm/caveman-mcp.mcpb
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOOL = join(ROOT, 'tests/node/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');

/** Gives the path of the bundle. */
export function bundle({ out = join(ROOT, 'target/npm') } = {}) {
  const [main] = build({ out });
  const folder = join(out, 'bundle');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  renameSync(main, join(folder, 'server'));
  cpSync(join(ROOT, 'npm/bundle/manifest.json'), join(folder, 'manifest.json'));
  const file = join(out, 'caveman-mcp.mcpb');
  mcpb('validate', join(folder, 'manifest.json'));
  mcpb('pack', folder, file);
  return file;
}

/** Runs the format's tool; what it says is thrown when it fails. */
export function mcpb(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOOL, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mcpb ${args.join(' ')}: ${stderr}${stdout}`);
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  console.log(bundle({ out: values.out }));
}
