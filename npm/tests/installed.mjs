// What the suites share: the packages packed and installed as a user would install them, and programs to talk to.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build.mjs';
import { callLine } from './payloads.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');

/** The native binary under test: `CAVEMAN_TEST_BIN`, else the debug build. */
export const BINARY = process.env.CAVEMAN_TEST_BIN ?? join(TARGET, 'debug', 'caveman-mcp');
if (!existsSync(BINARY)) throw new Error(`no binary at ${BINARY}: cargo build -p caveman-native`);

export const HERE = `${process.platform}-${process.arch}`;

const scratch = mkdtempSync(join(tmpdir(), 'caveman npm ü '));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** A fresh folder whose name has spaces and letters beyond ASCII, gone when the suite ends. */
export const fresh = (name) => mkdtempSync(join(scratch, `${name} `));

/** This Node.js and those that the development packages bring: name and path. */
export const NODES = [['this Node.js', process.execPath]];
for (const name of ['node22', 'node24', 'node26']) {
  const path = join(ROOT, 'tests/node/node_modules', name, 'bin/node');
  if (existsSync(path)) NODES.push([name, path]);
}

/** The same, and the other runtimes that the development packages bring, each as a command that takes a script. */
export const RUNTIMES = [...NODES];
for (const [name, path, verb] of [['Bun', 'bun-linux-x64/bin/bun', ''], ['Deno', 'deno-linux-x64/deno', 'run --quiet --allow-all --no-prompt']]) {
  const program = join(ROOT, 'tests/node/node_modules', path);
  if (!existsSync(program)) continue;
  const command = join(scratch, name);
  // What they keep for themselves goes where the suite cleans up.
  writeFileSync(command, `#!/bin/sh\nDENO_DIR='${scratch}/deno' BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 exec '${program}' ${verb} "$@"\n`, { mode: 0o755 });
  RUNTIMES.push([name, command]);
}

/** Whether a runtime does this, as a module that throws when it does not. */
export async function can(runtime, code) {
  const script = join(scratch, `can-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  writeFileSync(script, code);
  return (await run(runtime, [script], { env: { PATH: process.env.PATH, HOME: scratch } })).code === 0;
}

export const hasSqlite = (runtime) => can(runtime, 'await import("node:sqlite")');

/** Runs npm without a network; throws what it says when it fails. */
export const npm = (args, cwd) => {
  const done = spawnSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd, encoding: 'utf8', env: { ...process.env, npm_config_update_notifier: 'false' } });
  if (done.status !== 0) throw new Error(`npm ${args.join(' ')}: ${done.stderr}${done.stdout}`);
  return done;
};

/** The tarballs: `main` and, for this platform, `native`. Packed once. */
export const TARBALLS = (() => {
  const packages = build({ out: join(scratch, 'build'), binaries: { [HERE]: BINARY } });
  const tarballs = join(scratch, 'tarballs');
  mkdirSync(tarballs);
  const [main, native] = packages.map((folder) => {
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', tarballs], folder).stdout);
    return join(tarballs, filename);
  });
  return { main, native };
})();

/** A folder in which the tarballs are installed; `bin` is the command that npm made. */
export function install(name, ...tarballs) {
  const folder = fresh(name);
  npm(['init', '-y'], folder);
  npm(['install', ...tarballs], folder);
  return at(folder);
}

/** A copy of an installation, to be spoilt. */
export function copyOf(installed) {
  const folder = fresh('copy');
  cpSync(installed.folder, folder, { recursive: true, verbatimSymlinks: true });
  return at(folder);
}

function at(folder) {
  const modules = join(folder, 'node_modules');
  return {
    folder,
    bin: join(modules, '.bin', 'caveman-mcp'),
    script: join(modules, 'caveman-mcp', 'bin', 'caveman-mcp.mjs'),
    modules,
  };
}

let both;
let alone;
/** With the platform's package: the native binary serves. */
export const withNative = () => (both ??= install('both', TARBALLS.main, TARBALLS.native));
/** Without it: the wasm core serves. */
export const withoutNative = () => (alone ??= install('alone', TARBALLS.main));

/** An environment that holds nothing of the developer's. */
export function environment(home, more = {}) {
  return { PATH: process.env.PATH, HOME: home, CAVEMAN_HOME: join(home, 'caveman'), ...more };
}

/** Runs a program to its end: `{ stdout, stderr, code, signal }`, stdout as bytes. */
export function run(command, args, { input = '', env, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd });
    const out = [];
    let stderr = '';
    child.stdout.on('data', (bytes) => out.push(bytes));
    child.stderr.on('data', (bytes) => (stderr += bytes));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ stdout: Buffer.concat(out), stderr, code, signal }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** A server that is spoken to line by line. */
export function talk(command, args, env) {
  const child = spawn(command, args, { env });
  const waiting = [];
  const lines = [];
  let rest = '';
  let stderr = '';
  child.stderr.on('data', (bytes) => (stderr += bytes));
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop();
    for (const line of parts) (waiting.shift() ?? ((line) => lines.push(line)))(line);
  });
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stderr })));
  let id = 0;
  return {
    child,
    ended,
    stderr: () => stderr,
    line: () => (lines.length > 0 ? Promise.resolve(lines.shift()) : new Promise((resolve) => waiting.push(resolve))),
    send: (line) => child.stdin.write(`${line}\n`),
    end: () => (child.stdin.end(), ended),
    async call(tool, args = {}) {
      this.send(callLine(++id, tool, args));
      const { result } = JSON.parse(await this.line());
      return { texts: result.content.map(({ text }) => text), isError: result.isError };
    },
  };
}
