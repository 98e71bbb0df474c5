// The client `cavemem`, packed and installed as a user would, with the real binary.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildClient } from '../scripts/build.mjs';
import { BINARY, HERE, NODES, ROOT, RUNTIMES, environment, fresh, install, npm, run, talk, withNative, withoutNative } from './installed.mjs';

const CAVEMEM = join(dirname(BINARY), process.platform === 'win32' ? 'cavemem.exe' : 'cavemem');
assert.ok(existsSync(CAVEMEM), `no binary at ${CAVEMEM}: cargo build -p caveman-native`);

const { folder, modules } = (() => {
  const scratch = fresh('cavemem');
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', scratch], buildClient({ out: scratch })).stdout);
  return install('client', join(scratch, filename));
})();
const client = await import(pathToFileURL(join(modules, 'cavemem/lib/index.mjs')));
const { CavememError, forget, history, recall, recover, remember, supersede } = client;

/** Options of a client with a home of its own. */
const options = (more = {}) => ({ env: environment(fresh('home'), { CAVEMEM_BIN: CAVEMEM, ...more }) });

const fails = (call, code, exitCode) => assert.rejects(call, (error) => {
  assert.ok(error instanceof CavememError, String(error));
  assert.deepEqual([error.code, error.exitCode], [code, exitCode], error.message);
  return true;
});

test('the life of a memory', async () => {
  const home = options();
  const first = await remember('Ports 8000 to 8100 are ours.', home);
  assert.equal(first.status, 'stored');
  assert.equal((await remember('  Ports 8000 to 8100 are ours.\n', home)).status, 'known');
  const { hits, tokens_added } = await recall('which ports', home);
  assert.equal(hits[0].text, 'Ports 8000 to 8100 are ours.');
  assert.equal(hits[0].tokens_added, tokens_added);
  const next = await supersede(first.id, 'Ports from 9000 on are ours.', home);
  assert.equal(next.supersedes, first.id);
  assert.deepEqual((await history(next.id, home)).versions.map(({ id }) => id), [first.id, next.id]);
  assert.deepEqual(await forget(next.id, home), { id: next.id, forgotten: true });
  assert.deepEqual((await recall('ports', home)).hits, []);
  assert.equal((await history(first.id, home)).current, null);
});

test('texts of any language and of 256 KiB come back as they were', async () => {
  const home = options();
  for (const text of ['日本語 😀 e\u0301 ß', 'a\0b\r\n"\\', '--help', 'x'.repeat(262_144), 'é'.repeat(131_072)]) {
    const { id } = await remember(text, home);
    assert.equal((await history(id, home)).versions[0].text, text);
  }
  await remember('网关 '.repeat(20_000), home);
  const { hits: [hit] } = await recall('网关', { ...home, limit: 1, tokenBudget: 10 });
  assert.equal(hit.form, 'head');
  assert.ok(hit.tokens_added <= 10);
  assert.equal((await recover(hit.recovery_handle, home)).toString('utf8'), '网关 '.repeat(20_000).trim());
});

test('failures have the code and the status of the binary', async () => {
  const home = options();
  assert.equal(client.MEMORY_TOO_LARGE_EXIT_CODE, 65);
  const { id } = await remember('x', home);
  await fails(remember('x'.repeat(262_145), home), 'cave_memory_too_large', 65);
  await fails(supersede(id, 'x'.repeat(262_145), home), 'cave_memory_too_large', 65);
  await fails(remember(' ', home), 'cave_memory_empty', 65);
  await fails(history('mem_x', home), 'cave_unknown_memory', 1);
  await fails(forget('--all', home), 'cave_unknown_memory', 1);
  await fails(recall('x', { ...home, tokenBudget: -1 }), 'usage', 2);
  await fails(recall('x', { ...home, limit: 0 }), 'usage', 2);
  await fails(recover('ccr_' + '0'.repeat(32), home), 'cave_unknown_handle', 1);
  await fails(remember('x', options({ CAVEMAN_HOME: join(BINARY, 'no folder') })), 'cave_store_unavailable', 74);
  await assert.rejects(remember(7, home), TypeError);
  await assert.rejects(remember('half \ud83d', home), TypeError);
});

test('a binary that is missing is said so', async () => {
  await fails(remember('x', options({ CAVEMEM_BIN: join(folder, 'nothing') })), 'cave_binary_not_found', null);
  await fails(remember('x', options({ CAVEMEM_BIN: '', PATH: '' })), 'cave_binary_not_found', null);
  await fails(remember('x', { ...options(), bin: folder }), 'cave_binary_not_found', null);
});

test('a call can be ended', async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(remember('x', { ...options(), signal: controller.signal }), { name: 'AbortError' });
});

test('the binary is found on the PATH, and else in the package of the platform', async (t) => {
  if (process.platform !== 'win32') {
    const bin = fresh('bin');
    symlinkSync(CAVEMEM, join(bin, 'cavemem'));
    assert.equal((await remember('x', options({ CAVEMEM_BIN: '', PATH: bin }))).status, 'stored');
  }
  const packaged = join(withNative().modules, '@caveman-mcp', HERE, 'bin', process.platform === 'win32' ? 'cavemem.exe' : 'cavemem');
  assert.ok(existsSync(packaged), 'the package of the platform holds cavemem');
  // A copy of the client beside that package.
  const beside = join(withNative().modules, 'cavemem');
  mkdirSync(join(beside, 'lib'), { recursive: true });
  for (const name of ['package.json', 'lib/index.mjs', 'lib/binary.mjs', 'lib/error.mjs']) {
    writeFileSync(join(beside, name), readFileSync(join(modules, 'cavemem', name)));
  }
  const other = await import(pathToFileURL(join(beside, 'lib/index.mjs')));
  assert.equal((await other.remember('x', options({ CAVEMEM_BIN: '', PATH: '' }))).status, 'stored');
});

test('what a program prints on its way down is no answer', async () => {
  if (process.platform === 'win32') return;
  const script = join(fresh('script'), 'cavemem');
  writeFileSync(script, '#!/bin/sh\necho \'{"id":"mem_1"}\'\necho "cavemem: cave_store_busy: wait" >&2\nexit 74\n');
  chmodSync(script, 0o755);
  await fails(remember('x', { ...options(), bin: script }), 'cave_store_busy', 74);
});

for (const [name, node] of RUNTIMES) {
  test(`an original that the wasm core compressed outlives the memory that had put it there (${name})`, async () => {
    const home = options();
    const text = Array.from({ length: 300 }, (_, i) => `2026-03-01T10:00:${String(i % 60).padStart(2, '0')}Z INFO worker-9 request ${i} done`).join('\n');
    const { id } = await remember(text, home);
    const { hits: [hit] } = await recall('worker-9 request', { ...home, tokenBudget: 200 });
    const server = talk(node, [withoutNative().script], home.env);
    const { texts } = await server.call('compress', { input: text });
    assert.equal(JSON.parse(texts[1]).recovery_handle, hit.recovery_handle);
    await forget(id, home);
    assert.equal((await server.call('retrieve', { recovery_handle: hit.recovery_handle })).texts[0], text);
    await server.end();
    assert.equal((await recover(hit.recovery_handle, home)).toString('utf8'), text);
  });
}

for (const [name, node] of NODES) {
  test(`${name} runs the client`, async () => {
    const program = `
      import { remember, recall } from 'cavemem';
      await remember('Überall gültig: 数据 😀');
      console.log((await recall('数据')).hits[0].text);
    `;
    writeFileSync(join(folder, 'program.mjs'), program);
    const { stdout, stderr, code } = await run(node, ['program.mjs'], { cwd: folder, env: options().env });
    assert.deepEqual([stdout.toString(), code], ['Überall gültig: 数据 😀\n', 0], stderr);
  });
}

test('the types name what the module exports', () => {
  const types = readFileSync(join(ROOT, 'npm/cavemem/lib/index.d.ts'), 'utf8');
  const named = [...types.matchAll(/^export (?:function|const|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(named.sort(), Object.keys(client).sort());
});
