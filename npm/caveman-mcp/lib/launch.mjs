// Which program serves: CAVEMAN_MCP_BIN, else the binary of this platform's package, else the wasm core in this process.
//
// No install script and no download: npm installs the package of the platform, or none. A binary that cannot start is
// told from one that can by looking at it, because a failed execve ends Node and a failed spawn may have read stdin.
import { accessSync, constants, existsSync, fstatSync, openSync, readSync, closeSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as log from './log.mjs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

// Counts launchers that started one another. The second may be meant (the binary runs `npx caveman-mcp` to try a
// configuration that it wrote), the fourth is a circle.
const DEPTH = 'CAVEMAN_MCP_LAUNCHER_DEPTH';
const MAX_DEPTH = 3;

export async function launch(args) {
  const depth = Number(process.env[DEPTH] ?? 0) || 0;
  const binary = depth < MAX_DEPTH ? findBinary() : undefined;
  if (depth >= MAX_DEPTH) log.warn('this launcher was started by itself again and again; running the wasm core');
  if (binary !== undefined) {
    process.env[DEPTH] = String(depth + 1);
    if (typeof process.execve === 'function' && process.platform !== 'win32') {
      // The process becomes the binary: same id, same pipes, no Node left.
      process.execve(binary, [binary, ...args], process.env);
    }
    // Loaded here: where the process becomes the binary, and where there is none, nobody needs it.
    const { spawn } = await import('node:child_process');
    const why = await run(spawn, binary, args);
    if (why === undefined) return;
    log.warn(`${binary} cannot start (${why}); running the wasm core`);
  }
  // Compiled by other threads while the rest is loaded.
  const module = WebAssembly.compile(readFileSync(new URL('../core/caveman_core_bg.wasm', import.meta.url)));
  module.catch(() => {});
  const { main } = await import('./cli.mjs');
  await main(args, module);
}

/** The path of the binary to start; undefined when there is none that can. */
function findBinary() {
  const named = process.env.CAVEMAN_MCP_BIN;
  const candidates = [];
  if (named) candidates.push(named);
  const packaged = platformBinary();
  if (packaged !== undefined) candidates.push(packaged);
  for (const path of candidates) {
    const why = unfit(path);
    if (why === undefined) return path;
    log.warn(`${path} cannot start (${why})${path === candidates.at(-1) ? '; running the wasm core' : ''}`);
  }
  return undefined;
}

/** The binary in the package of this platform, when npm installed it in this very version. */
function platformBinary() {
  const name = `@caveman-mcp/${process.platform}-${process.arch}`;
  let manifest;
  try {
    manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch {
    return undefined;
  }
  const found = JSON.parse(readFileSync(manifest, 'utf8')).version;
  if (found !== version) {
    log.warn(`${name} is ${found}, not ${version}; install both anew`);
    return undefined;
  }
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'caveman-mcp.exe' : 'caveman-mcp');
}

/** Why a file is no program for this machine, as far as its head tells; undefined when it seems to be one. */
export function unfit(path) {
  let file;
  try {
    if (process.platform !== 'win32') accessSync(path, constants.X_OK);
    file = openSync(path, 'r');
    const found = fstatSync(file);
    if (!found.isFile()) return 'not a file';
    const head = Buffer.alloc(4096);
    const length = readSync(file, head, 0, head.length, 0);
    return unfitHead(head.subarray(0, length), found.size);
  } catch (error) {
    return error.code === 'ENOENT' ? 'no such file' : error.code === 'EACCES' ? 'not executable' : error.message;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const ELF_MACHINES = { x64: 62, arm64: 183 };
const MACH_CPUS = { x64: 0x0100_0007, arm64: 0x0100_000c };
const PE_MACHINES = { x64: 0x8664, arm64: 0xaa64 };

function unfitHead(head, size) {
  // A script is a shim of ours, or ends up at one.
  if (head.subarray(0, 2).toString('latin1') === '#!') return 'a script, not the program itself';
  if (head.length < 64) return 'too short to be a program';
  if (process.platform === 'win32') {
    if (head.subarray(0, 2).toString('latin1') !== 'MZ') return 'not a Windows program';
    const at = head.readUInt32LE(60);
    const machine = at + 6 <= head.length ? head.readUInt16LE(at + 4) : undefined;
    return machine === PE_MACHINES[process.arch] ? undefined : 'made for another processor';
  }
  if (process.platform === 'darwin') {
    const magic = head.readUInt32LE(0);
    if (magic === 0xbeba_feca) return undefined;
    if (magic !== 0xfeed_facf) return 'not a macOS program';
    return head.readUInt32LE(4) === MACH_CPUS[process.arch] ? undefined : 'made for another processor';
  }
  return unfitElf(head, size);
}

function unfitElf(head, size) {
  if (head.readUInt32BE(0) !== 0x7f45_4c46) return 'not an ELF program';
  const machine = ELF_MACHINES[process.arch];
  if (head[4] !== 2 || head[5] !== 1 || (machine !== undefined && head.readUInt16LE(18) !== machine)) {
    return 'made for another processor';
  }
  const [at, length, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
  for (let i = 0; i < count; i++) {
    const entry = at + i * length;
    if (entry + 40 > head.length) break;
    const [kind, from, bytes] = [head.readUInt32LE(entry), Number(head.readBigUInt64LE(entry + 8)), Number(head.readBigUInt64LE(entry + 32))];
    if (from + bytes > size) return 'cut short';
    // A program for another C library names a loader that is not there.
    if (kind === 3 && from + bytes <= head.length) {
      const loader = head.subarray(from, from + bytes - 1).toString();
      if (!existsSync(loader)) return `it needs ${loader}, which is not there`;
    }
  }
  return undefined;
}

const FORWARDED = process.platform === 'win32'
  ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']
  : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

/** Not by the child's own method: after that, Deno takes the signal for what ended it, whatever the child did. */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, and that is about to be told.
  }
}

/** Runs the binary as a child and ends as it ends; gives why it could not be started. */
function run(spawn, binary, args) {
  return new Promise((settle) => {
    let child;
    let early;
    // Before the spawn: a signal that comes in between must not leave the child behind.
    const forward = (signal) => (child?.pid === undefined ? (early = signal) : send(child.pid, signal));
    for (const signal of FORWARDED) process.on(signal, forward);
    const release = () => FORWARDED.forEach((signal) => process.off(signal, forward));
    try {
      child = spawn(binary, args, { stdio: 'inherit', windowsHide: true });
    } catch (error) {
      release();
      settle(error.message);
      return;
    }
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      release();
      settle(error.message);
    });
    child.on('spawn', () => early && send(child.pid, early));
    child.on('exit', (code, signal) => {
      release();
      if (signal === null) {
        process.exitCode = code;
      } else {
        process.exitCode = 1;
        process.kill(process.pid, signal);
      }
      settle(undefined);
    });
  });
}
