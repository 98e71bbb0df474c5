#!/usr/bin/env node
// The platforms that have a native binary: one package each, named as Node.js names the platform. Everything else that
// lists platforms (manifests, the release workflow, its tests) is made from this table.
//
//   node npm/scripts/platforms.mjs        prints it as the matrix of the release workflow
import { fileURLToPath } from 'node:url';

/**
 * `target` is the compiler's name for the platform; `runner` the machine that builds it and tries it. Linux binaries are
 * static: one serves every C library.
 */
export const PLATFORMS = [
  { platform: 'linux', arch: 'x64', target: 'x86_64-unknown-linux-musl', runner: 'ubuntu-24.04' },
  { platform: 'linux', arch: 'arm64', target: 'aarch64-unknown-linux-musl', runner: 'ubuntu-24.04-arm' },
  { platform: 'darwin', arch: 'x64', target: 'x86_64-apple-darwin', runner: 'macos-15-intel' },
  { platform: 'darwin', arch: 'arm64', target: 'aarch64-apple-darwin', runner: 'macos-15' },
  { platform: 'win32', arch: 'x64', target: 'x86_64-pc-windows-msvc', runner: 'windows-2025' },
  { platform: 'win32', arch: 'arm64', target: 'aarch64-pc-windows-msvc', runner: 'windows-11-arm' },
];

export const SCOPE = '@caveman-mcp';

export const nameOf = ({ platform, arch }) => `${platform}-${arch}`;
export const packageName = (entry) => `${SCOPE}/${nameOf(entry)}`;
export const binaryName = ({ platform }) => (platform === 'win32' ? 'caveman-mcp.exe' : 'caveman-mcp');

export const memoryBinaryName = ({ platform }) => (platform === 'win32' ? 'cavemem.exe' : 'cavemem');

/** The manifest of a platform's package, from that of the main one. */
export function manifestOf(entry, main) {
  return {
    name: packageName(entry),
    version: main.version,
    description: `The ${nameOf(entry)} binaries of ${main.name}`,
    license: main.license,
    homepage: main.homepage,
    bugs: main.bugs,
    repository: { type: main.repository.type, url: main.repository.url },
    os: [entry.platform],
    cpu: [entry.arch],
    preferUnplugged: true,
    files: [`bin/${binaryName(entry)}`, `bin/${memoryBinaryName(entry)}`, 'LICENSE*'],
    publishConfig: main.publishConfig,
  };
}

/** The matrix of the release workflow. */
export const matrix = () => ({ include: PLATFORMS.map((entry) => ({ name: nameOf(entry), binary: binaryName(entry), memory_binary: memoryBinaryName(entry), target: entry.target, runner: entry.runner })) });

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(matrix()));
