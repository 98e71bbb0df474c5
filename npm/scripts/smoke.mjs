#!/usr/bin/env node
// Asks a command whether it is the server: the handshake, the list of tools, a payload there and back, the end of the input.
// What a platform's binary has to show before it is published.
//
//   node npm/scripts/smoke.mjs COMMAND [ARGUMENT …]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECONDS = 120;
const TOOLS = ['caveman_compress', 'caveman_retrieve', 'caveman_stats', 'caveman_toon_decode', 'caveman_toon_encode'];

const [command, ...args] = process.argv.slice(2);
if (command === undefined) fail('give the command to try');
const home = mkdtempSync(join(tmpdir(), 'caveman-smoke-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

const log = Array.from({ length: 400 }, (_, n) => `2026-03-01T10:00:${String(n % 60).padStart(2, '0')}Z INFO request ${n} naïve 漢 done in ${(n * 7) % 90} ms\n`).join('');
const call = (id, tool, input) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `caveman_${tool}`, arguments: input } });

const child = spawn(command, args, { env: { ...process.env, CAVEMAN_HOME: home, WINEDEBUG: '-all' }, stdio: ['pipe', 'pipe', 'inherit'], shell: process.platform === 'win32' && /\.cmd$/.test(command) });
setTimeout(() => {
  child.kill('SIGKILL');
  fail(`no end after ${SECONDS} s`);
}, SECONDS * 1000).unref();
child.on('error', (error) => fail(error.message));
const answers = lines(child.stdout);

async function ask(question) {
  child.stdin.write(`${JSON.stringify(question)}\n`);
  const { value } = await answers.next();
  if (value === undefined) fail(`no answer to ${question.method}`);
  const { result, error } = JSON.parse(value);
  if (result === undefined) fail(`${question.method}: ${JSON.stringify(error)}`);
  return result;
}

const { serverInfo } = await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } } });
const { tools } = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
check('tools', tools.map(({ name }) => name).sort(), TOOLS);
const [output, figures] = (await ask(call(2, 'compress', { input: log }))).content.map(({ text }) => text);
const { recovery_handle: handle, tokens_before, tokens_after } = JSON.parse(figures);
check('is shorter', output.length < log.length / 2, true);
check('original', (await ask(call(3, 'retrieve', { recovery_handle: handle }))).content[0].text, log);
const { store } = JSON.parse((await ask(call(4, 'stats', {}))).content[0].text);
check('store', [store.entries, store.state], [1, 'ok']);
child.stdin.end();
const code = await new Promise((resolve) => (child.exitCode === null ? child.on('exit', resolve) : resolve(child.exitCode)));
check('exit code', code, 0);
console.log(`${serverInfo.name} ${serverInfo.version}: ${tokens_before} -> ${tokens_after} tokens, ${handle}, store ${store.kind}`);

async function* lines(stream) {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

function check(what, found, wanted) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) fail(`${what}: ${JSON.stringify(found)?.slice(0, 300)}, not ${JSON.stringify(wanted).slice(0, 300)}`);
}

function fail(why) {
  console.error(`smoke: ${why}`);
  process.exit(1);
}
