#!/usr/bin/env node
// Installs the packed packages as a user of this machine would, without a network, and tries them: with the binary of the
// platform, then with the wasm core alone.
//
//   node npm/scripts/try-install.mjs FOLDER       the folder that npm/scripts/release.mjs wrote
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLATFORMS, nameOf, packageName } from './platforms.mjs';

const SMOKE = fileURLToPath(new URL('smoke.mjs', import.meta.url));

const [folder] = process.argv.slice(2);
const tarballs = readFileSync(join(folder, 'packages.txt'), 'utf8').trim().split('\n').map((line) => line.split(' '));
const tarballOf = (name) => resolve(folder, tarballs.find(([, id]) => id.replace(/@[^@]*$/, '') === name)[0]);
const here = PLATFORMS.find((entry) => entry.platform === process.platform && entry.arch === process.arch);

attempt('wasm', [tarballOf('caveman-mcp')]);
if (here !== undefined) attempt(`native ${nameOf(here)}`, [tarballOf('caveman-mcp'), tarballOf(packageName(here))]);

function attempt(what, packages) {
  const target = mkdtempSync(join(tmpdir(), 'caveman install '));
  try {
    writeFileSync(join(target, 'package.json'), '{"private":true}');
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...packages.map((path) => JSON.stringify(path))], target);
    const script = join(target, 'node_modules/caveman-mcp/bin/caveman-mcp.mjs');
    if (!existsSync(script)) throw new Error('npm installed nothing');
    const { stdout } = spawnSync(process.execPath, [script, '--version', '--json'], { encoding: 'utf8' });
    if ((JSON.parse(stdout).runtime === undefined) !== (what !== 'wasm')) throw new Error(`${what}: something else runs: ${stdout}`);
    console.log(`${what}, Node.js ${process.versions.node}`);
    run(process.execPath, [SMOKE, process.execPath, script].map((part) => JSON.stringify(part)), target);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** By a shell, because npm is a script on Windows; arguments come quoted. */
function run(command, args, cwd) {
  const { status } = spawnSync(JSON.stringify(command), args, { cwd, stdio: 'inherit', shell: true });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: status ${status}`);
}
