// What a release is made of: every place that names a version, a platform or a variable says the same, and what is packed
// can be installed and run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { bundle, mcpb } from '../scripts/bundle.mjs';
import { PLATFORMS, binaryName, manifestOf, matrix, memoryBinaryName, nameOf, packageName } from '../scripts/platforms.mjs';
import { release } from '../scripts/release.mjs';
import { BINARY, HERE, ROOT, fresh, withoutNative } from './installed.mjs';
import { mistakes } from './registry.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const json = (path) => JSON.parse(read(path));
const workflow = read('.github/workflows/release.yml');
const main = json('npm/caveman-mcp/package.json');
const server = json('npm/server.json');
const manifest = json('npm/bundle/manifest.json');

test('one version everywhere', () => {
  const version = /^\[workspace\.package\]\nversion = "([^"]+)"/m.exec(read('Cargo.toml'))[1];
  for (const found of [main.version, server.version, manifest.version, ...server.packages.map((entry) => entry.version)]) assert.equal(found, version);
});

test('one table of platforms', () => {
  const installed = JSON.parse(readFileSync(join(withoutNative().modules, 'caveman-mcp/package.json'), 'utf8'));
  assert.deepEqual(Object.keys(installed.optionalDependencies), PLATFORMS.map(packageName));
  assert.deepEqual(new Set(PLATFORMS.map(({ platform }) => platform)), new Set(manifest.compatibility.platforms));
  assert.equal(new Set(PLATFORMS.map(nameOf)).size, PLATFORMS.length);
  // The workflow takes its matrix from the table, and names no platform of its own but the machines that installs are tried on.
  assert.match(workflow, /echo "matrix=\$\(node npm\/scripts\/platforms\.mjs\)"/);
  assert.match(workflow, /matrix: \$\{\{ fromJSON\(needs\.plan\.outputs\.matrix\) \}\}/);
  for (const { target } of PLATFORMS) assert.ok(!workflow.includes(target), `${target} stands in the workflow`);
  const runners = /runner: \[(.*)\]/.exec(workflow)[1].split(', ');
  assert.deepEqual(runners, PLATFORMS.map(({ runner }) => runner));
  const printed = JSON.parse(spawnSync(process.execPath, [join(ROOT, 'npm/scripts/platforms.mjs')], { encoding: 'utf8' }).stdout);
  assert.deepEqual(printed, matrix());
  for (const key of Object.keys(printed.include[0])) assert.match(workflow, new RegExp(`matrix\\.${key}\\b`), `matrix.${key} is not used`);
});

test('cross builds are of platforms of the table', () => {
  const built = [...read('scripts/cross').matchAll(/^ {4}(\S+)\) echo (\S+) ;;$/gm)].map(([, name, target]) => [name, target]);
  assert.ok(built.length >= 5, `${built.length} platforms`);
  for (const [name, target] of built) {
    const entry = PLATFORMS.find((entry) => nameOf(entry) === name);
    // There is one way to build for Windows without its own tools.
    assert.equal(target, entry.target.replace('windows-msvc', 'windows-gnu'));
  }
});

test('installs are tried on every line of Node.js that is promised', () => {
  const tried = /node: \[(.*)\]/.exec(workflow)[1].split(', ').map(Number);
  assert.equal(`>=${tried[0]}`, main.engines.node);
  assert.deepEqual(tried, [20, 22, 24, 26]);
});

test('the registry entry names the package, and the variables that are read', () => {
  assert.equal(server.name, main.mcpName);
  assert.deepEqual(mistakes(server), []);
  assert.equal(`git+${server.repository.url}.git`, main.repository.url);
  const [npm] = server.packages;
  assert.deepEqual([npm.registryType, npm.identifier, npm.transport.type], ['npm', main.name, 'stdio']);
  const documented = /<!-- environment -->([^]*)<!-- \/environment -->/.exec(read('README.md'))[1];
  const names = [...documented.matchAll(/^\| `(CAVEMAN\w+)`/gm)].map(([, name]) => name);
  assert.deepEqual(npm.environmentVariables.map(({ name }) => name).filter((name) => !names.includes(name)), [], 'no such variable');
  const inServer = [...read('npm/caveman-mcp/lib/settings.mjs').matchAll(/'(CAVEMAN_\w+)'/g)].map(([, name]) => name);
  for (const name of new Set(inServer)) assert.ok(npm.environmentVariables.some((entry) => entry.name === name), `${name} is not in server.json`);
});

test('a registry entry that is not as the registry wants it is told', () => {
  const spoilt = {
    'name without a namespace': (entry) => (entry.name = 'caveman-mcp'),
    'long description': (entry) => (entry.description = 'x'.repeat(101)),
    'range for a version': (entry) => (entry.packages[0].version = '^0.1.0'),
    'field of another place': (entry) => (entry.packages[0].args = []),
    'argument without a value': (entry) => delete entry.packages[0].packageArguments[0].value,
    'format that is none': (entry) => (entry.packages[0].environmentVariables[0].format = 'path'),
    'default that is no choice': (entry) => (entry.packages[0].environmentVariables.at(-1).default = 'loud'),
    'repository without its host': (entry) => delete entry.repository.source,
  };
  for (const [what, spoil] of Object.entries(spoilt)) {
    const entry = structuredClone(server);
    spoil(entry);
    assert.notDeepEqual(mistakes(entry), [], what);
  }
});

test('every manifest is ready for provenance', () => {
  for (const entry of [main, ...PLATFORMS.map((platform) => manifestOf(platform, main))]) {
    assert.equal(entry.repository.url, main.repository.url);
    assert.deepEqual(entry.publishConfig, { access: 'public', provenance: true });
    assert.equal(entry.scripts, undefined);
    assert.equal(entry.license, 'MIT OR Apache-2.0');
  }
  assert.match(workflow, /id-token: write/);
  assert.match(workflow, /npm publish .* --provenance/);
  // Only the job that publishes may write.
  assert.equal(workflow.match(/: write$/gm).length, 3);
});

test('the bundle passes its own tool, names the tools that are served, and runs', () => {
  const file = bundle({ out: fresh('bundle') });
  const unpacked = fresh('unpacked');
  mcpb('unpack', file, unpacked);
  assert.deepEqual(JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')), manifest);
  const [, script, verb] = ['node', ...manifest.server.mcp_config.args].map((part) => part.replace('${__dirname}', unpacked));
  assert.equal(script, join(unpacked, manifest.server.entry_point));
  const { stdout, stderr } = smoke(process.execPath, script, verb);
  assert.match(stdout, /^caveman \d/, stderr);
  const list = spawnSync(process.execPath, [script, verb], { input: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', encoding: 'utf8' });
  assert.deepEqual(JSON.parse(list.stdout).result.tools.map(({ name }) => name), manifest.tools.map(({ name }) => name));
});

test('what is packed for a release installs and runs, with the binary and without', () => {
  const [binaries, out] = [fresh('binaries'), fresh('release')];
  for (const entry of PLATFORMS) {
    mkdirSync(join(binaries, `native-${nameOf(entry)}`));
    for (const name of [binaryName(entry), memoryBinaryName(entry)]) {
      const path = join(binaries, `native-${nameOf(entry)}`, name);
      if (nameOf(entry) === HERE) copyFileSync(join(dirname(BINARY), name), path);
      else writeFileSync(path, 'built elsewhere');
    }
  }
  release(binaries, out);
  const order = readFileSync(join(out, 'packages.txt'), 'utf8').trim().split('\n').map((line) => line.split(' '));
  assert.deepEqual(order.map(([, id]) => id), [...PLATFORMS.map(packageName), main.name, 'cavemem'].map((name) => `${name}@${main.version}`));
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n').map((line) => line.split('  ')[1]);
  assert.deepEqual(sums, readdirSync(out).filter((name) => /\.(tgz|mcpb)$/.test(name)).sort());
  const tried = spawnSync(process.execPath, [join(ROOT, 'npm/scripts/try-install.mjs'), out], { encoding: 'utf8' });
  assert.equal(tried.status, 0, tried.stderr);
  assert.match(tried.stdout, /wasm, Node\.js/);
  assert.match(tried.stdout, new RegExp(`native ${HERE}, Node\\.js`));
});

test('a binary that is no server is refused', () => {
  for (const command of [['node', '-e', ''], ['node', '-e', 'console.log("{}")'], ['/nowhere/at/all']]) assert.equal(smoke(...command).status, 1);
});

function smoke(...command) {
  return spawnSync(process.execPath, [join(ROOT, 'npm/scripts/smoke.mjs'), ...command], { encoding: 'utf8' });
}
