// The platforms that have a native binary: one package each, named as Node.js names the platform.
export const PLATFORMS = [
  { platform: 'linux', arch: 'x64', target: 'x86_64-unknown-linux-musl' },
  { platform: 'linux', arch: 'arm64', target: 'aarch64-unknown-linux-musl' },
  { platform: 'darwin', arch: 'x64', target: 'x86_64-apple-darwin' },
  { platform: 'darwin', arch: 'arm64', target: 'aarch64-apple-darwin' },
  { platform: 'win32', arch: 'x64', target: 'x86_64-pc-windows-gnu' },
];

export const SCOPE = '@caveman-mcp';

export const packageName = ({ platform, arch }) => `${SCOPE}/${platform}-${arch}`;
export const binaryName = ({ platform }) => (platform === 'win32' ? 'caveman-mcp.exe' : 'caveman-mcp');

/** The manifest of a platform's package, from that of the main one. */
export function manifestOf(entry, main) {
  return {
    name: packageName(entry),
    version: main.version,
    description: `The ${entry.platform}-${entry.arch} binary of ${main.name}`,
    license: main.license,
    repository: main.repository,
    os: [entry.platform],
    cpu: [entry.arch],
    preferUnplugged: true,
    files: [`bin/${binaryName(entry)}`, 'LICENSE*'],
    publishConfig: main.publishConfig,
  };
}
