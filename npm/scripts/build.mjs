#!/usr/bin/env node
// Assembles the npm packages in target/npm: the main one from npm/caveman-mcp and the wasm artifact, one for each binary
// that is given, with `cavemem` from beside it, and the client of the memories.
//
//   cargo wasm && node npm/scripts/build.mjs [linux-x64=target/release/caveman-mcp …] [--out FOLDER]
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PLATFORMS, binaryName, manifestOf, memoryBinaryName, nameOf, packageName } from './platforms.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds into `out`; `binaries` maps `linux-x64` and the like to files. Gives the folders of the packages. */
export function build({ out = join(ROOT, 'target/npm'), binaries = {} } = {}) {
  const artifact = join(ROOT, 'target/wasm');
  if (!existsSync(join(artifact, 'caveman_core_bg.wasm'))) throw new Error('there is no wasm artifact: run `cargo wasm`');
  const main = JSON.parse(readFileSync(join(ROOT, 'npm/caveman-mcp/package.json'), 'utf8'));
  const version = cargoVersion();
  if (main.version !== version) throw new Error(`npm/caveman-mcp is ${main.version}, Cargo.toml is ${version}`);
  // Exact versions: the launcher takes no other.
  main.optionalDependencies = Object.fromEntries(PLATFORMS.map((entry) => [packageName(entry), version]));

  const folder = join(out, 'caveman-mcp');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'lib', 'README.md']) cpSync(join(ROOT, 'npm/caveman-mcp', part), join(folder, part), { recursive: true });
  cpSync(artifact, join(folder, 'core'), { recursive: true });
  cpSync(join(ROOT, 'wasm/js'), join(folder, 'core'), { recursive: true });
  cpSync(join(ROOT, 'native/src/store/sql'), join(folder, 'core/sql'), { recursive: true });
  chmodSync(join(folder, 'bin/caveman-mcp.mjs'), 0o755);
  finish(folder, main);

  const folders = [folder];
  for (const [name, binary] of Object.entries(binaries)) {
    const entry = PLATFORMS.find((entry) => nameOf(entry) === name);
    if (entry === undefined) throw new Error(`no such platform: ${name}`);
    const folder = join(out, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'bin'), { recursive: true });
    // The memories' binary is built beside it.
    for (const [from, name] of [[resolve(binary), binaryName(entry)], [join(dirname(resolve(binary)), memoryBinaryName(entry)), memoryBinaryName(entry)]]) {
      copyFileSync(from, join(folder, 'bin', name));
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    finish(folder, manifestOf(entry, main));
    folders.push(folder);
  }
  return folders;
}

/** Builds the client of the memories into `out`; gives its folder. */
export function buildClient({ out = join(ROOT, 'target/npm') } = {}) {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'npm/cavemem/package.json'), 'utf8'));
  const version = cargoVersion();
  if (manifest.version !== version) throw new Error(`npm/cavemem is ${manifest.version}, Cargo.toml is ${version}`);
  manifest.optionalDependencies = Object.fromEntries(PLATFORMS.map((entry) => [packageName(entry), version]));
  const folder = join(out, 'cavemem');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ['lib', 'README.md']) cpSync(join(ROOT, 'npm/cavemem', part), join(folder, part), { recursive: true });
  finish(folder, manifest);
  return folder;
}

function finish(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of readdirSync(ROOT).filter((name) => name.startsWith('LICENSE'))) copyFileSync(join(ROOT, name), join(folder, name));
}

function cargoVersion() {
  const manifest = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8');
  return /^\[workspace\.package\]\nversion = "([^"]+)"/m.exec(manifest)[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
  const binaries = Object.fromEntries(positionals.map((pair) => pair.split('=')));
  for (const folder of [...build({ out: values.out, binaries }), buildClient({ out: values.out })]) console.log(folder);
}
