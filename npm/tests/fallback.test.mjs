// The wasm core as a server: its stores, their sharing with the native binary, and what a trap leaves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY, RUNTIMES, copyOf, environment, fresh, hasSqlite, run, talk, withoutNative } from './installed.mjs';
import { INITIALIZE, callLine } from './payloads.mjs';

/** A log that compresses, unlike any other. */
const log = (seed) => Array.from({ length: 120 }, (_, i) => `2026-03-01T10:00:${String(i % 60).padStart(2, '0')}Z INFO worker-${seed} request ${i} of ${seed} done in ${(i * 7) % 90} ms\n`).join('');

const compressed = async (server, text) => {
  const { texts } = await server.call('compress', { input: text });
  return JSON.parse(texts[1]);
};

for (const [name, node] of RUNTIMES) {
  test(`originals are kept where the native binary finds them (${name})`, async () => {
    const home = fresh('home');
    const env = environment(home);
    const server = talk(node, [withoutNative().script], env);
    const { recovery_handle: handle } = await compressed(server, log('a'));
    const { store } = JSON.parse((await server.call('stats')).texts[0]);
    assert.deepEqual([store.kind, store.entries, store.state], [(await hasSqlite(node)) ? 'sqlite' : 'files', 1, 'ok']);
    assert.equal(store.bytes, log('a').length);
    // While the server holds its store open.
    assert.equal(spawnSync(BINARY, ['retrieve', handle], { env }).stdout.toString(), log('a'));
    assert.equal((await server.call('retrieve', { recovery_handle: handle })).texts[0], log('a'));
    assert.deepEqual(await server.end(), { code: 0, signal: null, stderr: '' });
    const modes = readdirSync(env.CAVEMAN_HOME, { recursive: true }).map((path) => statSync(join(env.CAVEMAN_HOME, path)));
    for (const { mode } of [statSync(env.CAVEMAN_HOME), ...modes]) assert.equal(mode & 0o077, 0);
  });

  test(`originals of the native binary, and loose ones, are found (${name})`, async () => {
    const env = environment(fresh('home'));
    const native = talk(BINARY, ['serve'], env);
    const { recovery_handle: theirs } = await compressed(native, log('b'));
    const loose = await looseOf(log('c'), env.CAVEMAN_HOME);
    const server = talk(node, [withoutNative().script], env);
    assert.equal((await server.call('retrieve', { recovery_handle: loose })).texts[0], log('c'));
    assert.equal((await native.call('retrieve', { recovery_handle: loose })).texts[0], log('c'));
    if (await hasSqlite(node)) {
      assert.equal((await server.call('retrieve', { recovery_handle: theirs })).texts[0], log('b'));
      const { store } = JSON.parse((await server.call('stats')).texts[0]);
      assert.deepEqual([store.entries, store.bytes], [1, log('b').length]);
      assert.equal(spawnSync(BINARY, ['store', 'verify'], { env }).status, 0);
    }
    await native.end();
    await server.end();
  });

  test(`asking for stats creates nothing (${name})`, async () => {
    const env = environment(fresh('home'));
    const server = talk(node, [withoutNative().script], env);
    const { store } = JSON.parse((await server.call('stats')).texts[0]);
    assert.deepEqual([store.entries, store.bytes, store.state], [0, 0, 'ok']);
    await server.end();
    const asked = await run(node, [withoutNative().script, 'stats', '--json'], { env });
    assert.equal(JSON.parse(asked.stdout).store.entries, 0);
    assert.deepEqual(readdirSync(env.HOME), []);
  });

  test(`an unknown and a damaged original are errors, never a wrong payload (${name})`, async () => {
    const env = environment(fresh('home'));
    const loose = await looseOf(log('d'), env.CAVEMAN_HOME, log('other'));
    const server = talk(node, [withoutNative().script], env);
    for (const [handle, code] of [[loose, 'cave_store_corrupt'], [`ccr_${'1'.repeat(32)}`, 'cave_unknown_handle'], ['ccr_obj_nothing', 'cave_unknown_handle']]) {
      const { texts, isError } = await server.call('retrieve', { recovery_handle: handle });
      assert.deepEqual([isError, JSON.parse(texts[0]).error], [true, code]);
    }
    await server.end();
  });

  test(`a store without room passes through and says so (${name})`, async () => {
    const server = talk(node, [withoutNative().script], environment(fresh('home'), { CAVEMAN_CCR_MAX_BYTES: '10000' }));
    assert.equal((await compressed(server, log('e'))).reason, undefined);
    const refused = await compressed(server, log('f'));
    assert.deepEqual([refused.reason, refused.recovery_handle], ['not_stored', null]);
    assert.match(refused.note, /cave_store_full/);
    const stats = JSON.parse((await server.call('stats')).texts[0]);
    assert.deepEqual([stats.requests, stats.passed_through, stats.store.entries], [2, 1, 1]);
    assert.match(stats.store.state, /no room/);
    await server.end();
  });

  test(`CAVEMAN_MCP_EPHEMERAL=1 touches no disk (${name})`, async () => {
    const env = environment(fresh('home'), { CAVEMAN_MCP_EPHEMERAL: '1' });
    const server = talk(node, [withoutNative().script], env);
    const { recovery_handle: handle } = await compressed(server, log('g'));
    assert.equal((await server.call('retrieve', { recovery_handle: handle })).texts[0], log('g'));
    await server.end();
    assert.deepEqual(readdirSync(env.HOME), []);
  });

  test(`a line of 17 MiB is answered by its id, and the next one works (${name})`, async () => {
    const line = callLine(1, 'compress', { input: 'x'.repeat(17 << 20) });
    const begun = performance.now();
    const { stdout, code } = await run(node, [withoutNative().script], { input: `${line}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n`, env: environment(fresh('home')) });
    const [first, second] = stdout.toString().trim().split('\n').map((text) => JSON.parse(text));
    assert.deepEqual([first.id, first.error.code, second.id, code], [1, -32600, 2, 0]);
    console.log(`17 MiB line and an answer: ${Math.round(performance.now() - begun)} ms`);
  });

  test(`a trap costs one call (${name})`, async () => {
    const installed = copyOf(withoutNative());
    // The door has no call that traps; this one asks the allocator for more than there is.
    const glue = join(installed.modules, 'caveman-mcp/core/caveman_core.js');
    const marked = readFileSync(glue, 'utf8').replace('export function sessionHandle(frame, now_ms) {', (head) => `${head}\n    if (new TextDecoder().decode(frame).includes('TRAP')) { while (true) wasm.__wbindgen_malloc(0x7fff0000, 1); }`);
    assert.match(marked, /TRAP/);
    writeFileSync(glue, marked);
    const server = talk(node, [installed.script], environment(fresh('home')));
    const { recovery_handle: handle } = await compressed(server, log('h'));
    for (let i = 0; i < 3; i++) {
      server.send(callLine('trap', 'compress', { input: 'TRAP' }));
      const { id, result } = JSON.parse(await server.line());
      assert.equal(id, 'trap');
      assert.equal(JSON.parse(result.content[0].text).error, 'cave_tool_panicked');
    }
    server.send('{"jsonrpc":"2.0","id":"TRAP","method":"ping"}');
    assert.equal(JSON.parse(await server.line()).error.code, -32603);
    assert.equal((await server.call('retrieve', { recovery_handle: handle })).texts[0], log('h'));
    const { code, stderr } = await server.end();
    assert.equal(code, 0);
    assert.match(stderr, /internal error at .*please report it/);
  });
}

test('a database that is a link, or none, is refused and the server goes on', async () => {
  for (const spoil of [(file) => symlinkSync('/nowhere', file), (file) => writeFileSync(file, 'no database '.repeat(99)), (file) => mkdirSync(file)]) {
    for (const [, node] of RUNTIMES) {
      if (!(await hasSqlite(node))) continue;
      const env = environment(fresh('home'));
      mkdirSync(env.CAVEMAN_HOME);
      spoil(join(env.CAVEMAN_HOME, 'ccr.db'));
      const server = talk(node, [withoutNative().script], env);
      const figures = await compressed(server, log('i'));
      assert.equal(figures.reason, 'not_stored');
      assert.match(JSON.parse((await server.call('stats')).texts[0]).store.state, /recovery store/);
      await server.end();
    }
  }
});

test('a bad variable is named, and the default holds', async () => {
  const env = environment(fresh('home'), { CAVEMAN_CCR_MAX_BYTES: 'many', CAVEMAN_MCP_TOOLS: 'nonsense' });
  const { stdout, stderr, code } = await run(process.execPath, [withoutNative().script], { input: `${INITIALIZE}\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, env });
  assert.equal(JSON.parse(stdout.toString().trim().split('\n')[1]).result.tools.length, 5);
  assert.match(stderr, /CAVEMAN_CCR_MAX_BYTES is "many"/);
  assert.match(stderr, /CAVEMAN_MCP_TOOLS/);
  assert.equal(code, 0);
  const refused = await run(process.execPath, [withoutNative().script, 'compress'], { input: 'x', env });
  assert.equal(refused.code, 2);
});

test('native and wasm servers share one database under load', async () => {
  const env = environment(fresh('home'));
  const seconds = Number(process.env.CAVEMAN_STRESS_SECONDS ?? 4);
  const programs = [[BINARY, ['serve']], [BINARY, ['serve']]];
  for (const [, node] of RUNTIMES) {
    if (await hasSqlite(node)) programs.push([node, [withoutNative().script]]);
  }
  const end = Date.now() + seconds * 1000;
  const handles = new Map();
  await Promise.all(
    programs.map(async ([command, args], at) => {
      const server = talk(command, args, env);
      for (let i = 0; Date.now() < end; i++) {
        const text = log(`${at}-${i}`);
        const { recovery_handle: handle, note } = await compressed(server, text);
        assert.ok(handle, note);
        handles.set(handle, text);
        const [other, original] = [...handles][(i * 31) % handles.size];
        const { texts } = await server.call('retrieve', { recovery_handle: other });
        // Asked for the second time, a pointer to the first answer comes instead.
        assert.ok(texts[0] === original || texts[0].startsWith('[caveman:'), 'a wrong original');
      }
      assert.equal((await server.end()).code, 0);
    }),
  );
  const checker = talk(BINARY, ['serve'], env);
  for (const [handle, text] of handles) assert.equal((await checker.call('retrieve', { recovery_handle: handle, offset: 0 })).texts[0], text);
  const { store } = JSON.parse((await checker.call('stats')).texts[0]);
  assert.equal(store.entries, handles.size);
  await checker.end();
  assert.equal(spawnSync(BINARY, ['store', 'verify'], { env }).status, 0);
  console.log(`${programs.length} processes, ${handles.size} originals in ${seconds} s`);
});

/** Lays a loose original of `text` (or other bytes in its place) beside the database and gives its handle. */
async function looseOf(text, home, content = text) {
  const { load } = await import(join(withoutNative().modules, 'caveman-mcp/core/index.mjs'));
  const handle = (await load()).handleOf(text);
  const digits = handle.slice(4);
  mkdirSync(join(home, 'objects', digits.slice(0, 2)), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'objects', digits.slice(0, 2), digits), content, { mode: 0o600 });
  return handle;
}
