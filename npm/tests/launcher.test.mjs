// The launcher: which program it starts, and that it ends as that program ends.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY, RUNTIMES, can, copyOf, environment, fresh, run, talk, withNative, withoutNative } from './installed.mjs';
import { INITIALIZE } from './payloads.mjs';

/** A program of which the test can ask anything: Node.js itself in the place of the binary. */
const standIn = (home, more = {}) => environment(home, { CAVEMAN_MCP_BIN: process.execPath, ...more });

const isWasm = async (node, installed, env) => {
  const { stdout } = await run(node, [installed.script, '--version', '--json'], { env });
  return JSON.parse(stdout).runtime !== undefined;
};

for (const [name, node] of RUNTIMES) {
  test(`the native binary runs where it is installed, else the wasm core (${name})`, async () => {
    const env = environment(fresh('home'));
    assert.equal(await isWasm(node, withNative(), env), false);
    assert.equal(await isWasm(node, withoutNative(), env), true);
    assert.equal(await isWasm(node, withoutNative(), { ...env, CAVEMAN_MCP_BIN: BINARY }), false);
  });

  test(`exit codes and signals are those of the program (${name})`, async () => {
    const env = standIn(fresh('home'));
    const { script } = withNative();
    assert.equal((await run(node, [script, '-e', 'process.exit(7)'], { env })).code, 7);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL']) {
      const ended = await run(node, [script, '-e', `process.kill(process.pid, "${signal}"); setTimeout(() => {}, 9000)`], { env });
      assert.deepEqual([ended.code, ended.signal], [null, signal]);
    }
  });

  test(`signals reach the program (${name})`, async () => {
    const env = standIn(fresh('home'));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
      const program = `process.on("${signal}", () => { console.log("got it"); process.exit(5) }); setInterval(() => {}, 1000); console.log("up")`;
      const server = talk(node, [withNative().script, '-e', program], env);
      assert.equal(await server.line(), 'up');
      server.child.kill(signal);
      assert.equal(await server.line(), 'got it');
      assert.deepEqual([(await server.ended).code, (await server.ended).signal], [5, null]);
    }
  });

  for (const [kind, installed] of [['native', withNative], ['wasm', withoutNative]]) {
    test(`the end of the input ends the ${kind} server, after the last line (${name})`, async () => {
      const env = environment(fresh('home'));
      // The last line has no line feed.
      const { stdout, code, stderr } = await run(node, [installed().script], { input: `${INITIALIZE}\n{"jsonrpc":"2.0","id":9,"method":"ping"}`, env });
      assert.deepEqual([stdout.toString().trim().split('\n').map((line) => JSON.parse(line).id), code, stderr], [[0, 9], 0, '']);
    });

    test(`SIGTERM and SIGINT end the ${kind} server with 0 (${name})`, async () => {
      for (const signal of ['SIGTERM', 'SIGINT']) {
        const server = talk(node, [installed().script], environment(fresh('home')));
        server.send(INITIALIZE);
        await server.line();
        server.child.kill(signal);
        assert.deepEqual([(await server.ended).code, (await server.ended).signal], [0, null]);
      }
    });

    test(`a client that closes its end leaves a quiet ${kind} server (${name})`, async () => {
      const server = talk(node, [installed().script], environment(fresh('home')));
      server.send(INITIALIZE);
      await server.line();
      server.child.stdout.destroy();
      for (let i = 0; i < 20; i++) server.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      const { code, signal, stderr } = await server.end();
      assert.deepEqual([code, signal, stderr], [0, null, '']);
    });
  }
}

test('where the runtime can, it becomes the binary', async () => {
  for (const [name, node] of RUNTIMES) {
    const able = await can(node, 'if (typeof process.execve !== "function") throw 0');
    const server = talk(node, [withNative().script], environment(fresh('home')));
    server.send(INITIALIZE);
    await server.line();
    if (process.platform === 'linux') {
      const program = readlinkSync(`/proc/${server.child.pid}/exe`);
      assert.equal(program.endsWith('caveman-mcp'), able, `${name}: ${program}`);
    }
    await server.end();
  }
});

/** Copies of the binary, each spoilt in one way, and what the launcher says of it. */
const SPOILT = {
  'not executable': [(path) => chmodSync(path, 0o644), /not executable/],
  'an empty file': [(path) => writeFileSync(path, ''), /too short/],
  'a text': [(path) => writeFileSync(path, 'hello\n'.repeat(50)), /not an ELF program/],
  'cut short': [(path) => writeFileSync(path, readFileSync(path).subarray(0, 8192)), /cut short/],
  'of another processor': [(path) => patch(path, (bytes) => bytes.writeUInt16LE(243, 18)), /another processor/],
  'of another C library': [(path) => patch(path, (bytes) => bytes.write('/lib/ld-gone-x86-64.so.9', bytes.indexOf('/lib64/ld-linux'))), /needs .*, which is not there/],
  'a shim of the launcher': [(path) => writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${withNative().script}" "$@"\n`), /a script/],
};

function patch(path, change) {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

if (process.platform === 'linux') {
  for (const [how, [spoil, complaint]] of Object.entries(SPOILT)) {
    test(`a binary that is ${how} gives way to the wasm core, with one line that says why`, async () => {
      const installed = copyOf(withNative());
      const binary = realpathSync(join(installed.modules, `@caveman-mcp/${process.platform}-${process.arch}/bin/caveman-mcp`));
      if (how === 'of another C library' && !readFileSync(binary).includes('/lib64/ld-linux')) return; // A static binary names no loader.
      spoil(binary);
      for (const [, node] of [RUNTIMES[0], RUNTIMES.at(-1)]) {
        const { stdout, stderr, code } = await run(node, [installed.script], { input: INITIALIZE, env: environment(fresh('home')) });
        assert.equal(JSON.parse(stdout).result.serverInfo.name, 'caveman');
        assert.equal(code, 0);
        assert.match(stderr, complaint);
        assert.equal(stderr.trim().split('\n').length, 1, stderr);
      }
    });
  }
}

test('CAVEMAN_MCP_BIN that is missing, a folder, or the launcher itself gives way to the platform package', async () => {
  const { bin, script, folder } = withNative();
  for (const [path, complaint] of [['/nowhere/at/all', /no such file/], [folder, /not a file/], [bin, /a script/], [script, /a script/]]) {
    const env = environment(fresh('home'), { CAVEMAN_MCP_BIN: path });
    const { stdout, stderr } = await run(process.execPath, [script, '--version', '--json'], { env });
    assert.equal(JSON.parse(stdout).runtime, undefined);
    assert.match(stderr, complaint);
  }
});

test('a launcher that starts itself comes to an end', async () => {
  // Node.js in the place of the binary runs the launcher again, which runs Node.js again, ….
  const { script } = withoutNative();
  const env = standIn(fresh('home'));
  const args = [script, script, script, script, '--version'];
  const { stdout, stderr, code } = await run(process.execPath, args, { env });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /started by itself again and again/);
  assert.match(stdout.toString(), /^caveman-mcp \d/);
});

test('the command that npm links works from anywhere, through links and odd folder names', async () => {
  const { bin } = withNative();
  const elsewhere = fresh('Ordner mit ß');
  const link = join(elsewhere, 'cave man');
  symlinkSync(bin, link);
  const { stdout, code } = await run(link, ['--version'], { env: environment(fresh('home')), cwd: elsewhere });
  assert.deepEqual([stdout.toString().startsWith('caveman-mcp '), code], [true, 0]);
});

test('a platform package of another version is not taken', async () => {
  const installed = copyOf(withNative());
  const manifest = join(installed.modules, `@caveman-mcp/${process.platform}-${process.arch}/package.json`);
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": ".*"/, '"version": "0.0.1"'));
  const { stdout, stderr } = await run(process.execPath, [installed.script, '--version', '--json'], { env: environment(fresh('home')) });
  assert.ok(JSON.parse(stdout).runtime);
  assert.match(stderr, /is 0\.0\.1, not/);
});

test('a home that cannot be used leaves a server that passes through', async () => {
  const home = fresh('home');
  const file = join(home, 'file');
  writeFileSync(file, '');
  mkdirSync(join(home, 'copies'));
  copyFileSync(BINARY, join(home, 'copies', 'caveman-mcp'));
  // A file in place of the folder, and a place where nobody may write, root neither.
  const homes = process.platform === 'linux' ? [file, '/proc/caveman'] : [file];
  for (const [installed, unusable] of [withNative(), withoutNative()].flatMap((installed) => homes.map((unusable) => [installed, unusable]))) {
    const server = talk(process.execPath, [installed.script], { ...environment(home), CAVEMAN_HOME: unusable });
    const { texts } = await server.call('compress', { input: 'Jan 1 00:00:00 host sshd[1]: Failed password for root from 10.0.0.1 port 22 ssh2\n'.repeat(300) });
    assert.equal(JSON.parse(texts[1]).reason, 'not_stored');
    assert.match(JSON.parse((await server.call('stats')).texts[0]).store.kind, /^(none|files)$/);
    assert.equal((await server.end()).code, 0);
  }
});
