#!/usr/bin/env node
// Packs what a release is made of: a tarball of every package, the MCP bundle, their checksums, and the order of publishing.
//
//   node npm/scripts/release.mjs BINARIES OUT      BINARIES/native-<platform>/<binary>, both for every platform
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildClient } from './build.mjs';
import { bundle } from './bundle.mjs';
import { PLATFORMS, binaryName, nameOf } from './platforms.mjs';

/** Packs into `out`; a platform without its binary is an error. */
export function release(binariesIn, out) {
  const scratch = mkdtempSync(join(tmpdir(), 'caveman-release-'));
  try {
    mkdirSync(out, { recursive: true });
    const binaries = Object.fromEntries(PLATFORMS.map((entry) => [nameOf(entry), join(resolve(binariesIn), `native-${nameOf(entry)}`, binaryName(entry))]));
    renameSync(bundle({ out: join(scratch, 'bundle') }), join(out, 'caveman-mcp.mcpb'));
    const [main, ...platforms] = build({ out: join(scratch, 'packages'), binaries });
    const client = buildClient({ out: join(scratch, 'packages') });
    const order = [...platforms, main, client].map((folder) => {
      const [{ filename, name, version }] = JSON.parse(packed(folder, out));
      return `${filename} ${name}@${version}\n`;
    });
    writeFileSync(join(out, 'packages.txt'), order.join(''));
    const sums = readdirSync(out).filter((name) => /\.(tgz|mcpb)$/.test(name)).sort();
    writeFileSync(join(out, 'SHA256SUMS'), sums.map((name) => `${createHash('sha256').update(readFileSync(join(out, name))).digest('hex')}  ${name}\n`).join(''));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function packed(folder, out) {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--offline', '--pack-destination', resolve(out)], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack in ${folder}: ${stderr}`);
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [binaries, out] = process.argv.slice(2);
  if (out === undefined) throw new Error('give the folder of the binaries and the folder to write to');
  release(binaries, out);
  console.log(readdirSync(out).join('\n'));
}
