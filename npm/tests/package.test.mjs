// The packages as npm packs and installs them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY, RUNTIMES, TARBALLS, environment, fresh, npm, run, withNative, withoutNative } from './installed.mjs';
import { payloads, session } from './payloads.mjs';
import { build } from '../scripts/build.mjs';
import { PLATFORMS, binaryName, memoryBinaryName, packageName } from '../scripts/platforms.mjs';

const listed = (tarball) => spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).stdout.trim().split('\n').map((path) => path.replace(/^package\//, '')).sort();

test('the main package holds what it needs and nothing else', () => {
  const files = listed(TARBALLS.main);
  for (const file of ['bin/caveman-mcp.mjs', 'core/caveman_core.js', 'core/caveman_core_bg.wasm', 'core/index.d.ts', 'core/index.mjs', 'core/sql/triggers.sql', 'lib/launch.mjs', 'lib/store/sqlite.mjs', 'package.json', 'README.md', 'LICENSE-MIT']) {
    assert.ok(files.includes(file), `${file} is not packed`);
  }
  assert.deepEqual(files.filter((file) => !/^(bin|lib|core)\/|^(package\.json|README\.md|LICENSE.*)$/.test(file)), []);
});

test('there is no install script and no dependency but the platform packages', () => {
  const manifest = JSON.parse(readFileSync(join(withoutNative().modules, 'caveman-mcp/package.json'), 'utf8'));
  assert.equal(manifest.scripts, undefined);
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual(Object.keys(manifest.optionalDependencies), PLATFORMS.map(packageName));
  for (const version of Object.values(manifest.optionalDependencies)) assert.equal(version, manifest.version);
});

test('the platform package holds two programs', () => {
  assert.deepEqual(listed(TARBALLS.native).filter((file) => !file.startsWith('LICENSE')), ['bin/caveman-mcp', 'bin/cavemem', 'package.json']);
});

test('a platform package of another platform is refused by npm', () => {
  const other = PLATFORMS.find(({ platform }) => platform !== process.platform);
  const binaries = fresh('binaries of another');
  for (const name of [binaryName(other), memoryBinaryName(other)]) writeFileSync(join(binaries, name), 'built elsewhere');
  const [, folder] = build({ out: fresh('other'), binaries: { [`${other.platform}-${other.arch}`]: join(binaries, binaryName(other)) } });
  const target = fresh('target');
  npm(['init', '-y'], target);
  npm(['pack', '--pack-destination', target], folder);
  const [tarball] = readdirSync(target).filter((name) => name.endsWith('.tgz'));
  assert.throws(() => npm(['install', join(target, tarball)], target), /EBADPLATFORM/);
});

test('the module of the artifact wants nothing from its host', () => {
  const module = new WebAssembly.Module(readFileSync(join(withoutNative().modules, 'caveman-mcp/core/caveman_core_bg.wasm')));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

for (const [name, node] of RUNTIMES) {
  test(`installed with and without the binary, a session has equal answers (${name})`, async () => {
    const { handleOf } = await load();
    assert.ok(payloads().length >= 30, `${payloads().length} payloads`);
    const input = session(handleOf).join('\n');
    const serve = (installed) => run(node, [installed.script], { input, env: environment(fresh('home')) });
    const [native, wasm] = [await serve(withNative()), await serve(withoutNative())];
    assert.deepEqual([native.code, native.stderr, wasm.code, wasm.stderr], [0, '', 0, '']);
    const [expected, actual] = [native, wasm].map(({ stdout }) => stdout.toString().split('\n'));
    assert.equal(expected.length, actual.length);
    expected.forEach((line, at) => assert.equal(actual[at], line, `answer ${at}`));
    assert.ok(expected.length > 50 && expected.some((line) => line.includes('"recovery_handle\\":\\"ccr_')), 'something was compressed');
  });

  test(`the command line has equal output (${name})`, async () => {
    const [native, wasm] = [withNative(), withoutNative()];
    const [there, here] = [fresh('home'), fresh('home')];
    const both = async (args, input) => {
      const expected = await run(node, [native.script, ...args], { input, env: environment(there) });
      const actual = await run(node, [wasm.script, ...args], { input, env: environment(here) });
      assert.deepEqual([actual.stdout.toString(), actual.code], [expected.stdout.toString(), expected.code], args.join(' '));
      return actual.stdout.toString();
    };
    // Each is a handful of processes: the runtimes beside this Node.js are asked less.
    for (const [, text] of payloads().slice(0, node === process.execPath ? 4 : 1)) {
      const { recovery_handle: handle } = JSON.parse(await both(['compress', '--json'], text));
      await both(['compress'], text);
      await both(['compress', '--type', 'log', '--query', 'error', '--budget', '200'], text);
      await both(['detect'], text);
      await both(['detect', '--json'], text);
      if (handle === null) continue;
      assert.equal(await both(['retrieve', handle]), text);
      await both(['retrieve', handle, '--query', 'error']);
    }
    const json = '{"items":[{"sku":"A1","qty":2},{"sku":"B2","qty":1}]}';
    assert.equal((await both(['toon', 'decode'], await both(['toon', 'encode'], json))).trim(), json);
    await both(['toon', 'encode', '--delimiter', 'pipe', '-i', '4'], json);
    await both(['toon', 'decode', '--lenient'], 'a[3]: 1,2');
    for (const wrong of [['encode', '--delimiter', 'semicolon'], ['encode', '--indent', '0'], ['decode', '--delimiter', 'tab']]) await both(['toon', ...wrong], json);
    await both(['toon', 'decode'], new Uint8Array([0xff]));
    await both(['toon', 'encode'], '{');
    await both(['toon', 'decode'], 'a[2]: 1');
    await both(['retrieve', `ccr_${'0'.repeat(32)}`]);
    await both(['retrieve', 'nonsense']);
    await both(['compress', '--type', 'nonsense'], 'x');
    await both(['nonsense']);
    await both(['--version']);
    await both(['compress'], '');
  });
}

test('programs can use the core', async () => {
  const caveman = await load();
  const [, log] = payloads().find(([name]) => name === 'sshd.log');
  const { text, recoveryHandle, tokensBefore, tokensAfter, contentType } = caveman.compress(log);
  assert.equal(contentType, 'log');
  assert.ok(tokensAfter < tokensBefore / 2 && text.length < log.length / 2);
  assert.equal(caveman.countTokens(text), tokensAfter);
  assert.equal(caveman.retrieve(`\`${recoveryHandle}\`.`).text, log);
  assert.throws(() => caveman.retrieve('ccr_00000000000000000000000000000000'), { code: 'cave_unknown_handle' });
  assert.throws(() => caveman.toonDecode('a[2]: 1'), { code: 'cave_invalid_toon', line: 1 });
  assert.throws(() => caveman.compress('x', { contentType: 'nonsense' }), { code: 'cave_invalid_arguments' });
  assert.equal(caveman.toonDecode(caveman.toonEncode('{"a":1E400}')), '{"a":1e+400}');
  const bytesOf = (text) => new TextEncoder().encode(text);
  assert.deepEqual(caveman.toonEncode(bytesOf('{"é":[1,2]}'), { delimiter: '|' }), bytesOf('"é"[2|]: 1|2'));
  assert.deepEqual(caveman.toonDecode(bytesOf('é[3]: 1,2'), { strict: false }), bytesOf('{"é":[1,2]}'));
  assert.throws(() => caveman.toonDecode(new Uint8Array([97, 255])), { code: 'cave_invalid_toon', message: /byte 1/ });
  assert.equal(caveman.detect('{"a":1}').contentType, 'json');
  assert.deepEqual(caveman.compress(new Uint8Array([255, 0])).output, new Uint8Array([255, 0]));
  assert.equal(caveman.stats().requests, 2);
  const withinBudget = [undefined, 400, 1].map((tokenBudget) => caveman.compress(log, { tokenBudget }).withinBudget);
  assert.deepEqual(withinBudget, [undefined, true, false]);
});

test('a store that cannot keep an original leaves the payload as it is', async () => {
  const { load, memoryStore } = await module();
  const [, log] = payloads().find(([name]) => name === 'sshd.log');
  const full = { ...memoryStore(), put: () => { throw new Error('no room'); } };
  const { text, reason, note, recoveryHandle } = (await load({ store: full })).compress(log);
  assert.deepEqual([text, reason, recoveryHandle], [log, 'not_stored', null]);
  assert.match(note, /no room/);
});

test('types are there for everything that is exported', async () => {
  const core = join(withoutNative().modules, 'caveman-mcp/core');
  const types = readFileSync(join(core, 'index.d.ts'), 'utf8');
  for (const name of Object.keys(await module())) assert.match(types, new RegExp(`export (class|function) ${name}\\b`));
  const caveman = await load();
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(caveman))) {
    if (name !== 'constructor') assert.match(types, new RegExp(`^  ${name}\\(`, 'm'), `${name} has no type`);
  }
  assert.ok(existsSync(join(core, 'caveman_core.d.ts')));
});

const module = () => import(join(withoutNative().modules, 'caveman-mcp/core/index.mjs'));
const load = async () => (await module()).load();
