// Which binary: the one that CAVEMEM_BIN names, else `cavemem` on the PATH, else that of this platform's package.
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { CavememError } from './error.mjs';

const NAME = process.platform === 'win32' ? 'cavemem.exe' : 'cavemem';

export function findBinary(env = process.env) {
  if (env.CAVEMEM_BIN) return env.CAVEMEM_BIN;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, NAME)).find(isProgram) ?? packaged();
  if (found === undefined) {
    throw new CavememError('cave_binary_not_found', 'there is no cavemem: set CAVEMEM_BIN, put it on the PATH, or install the package of this platform');
  }
  return found;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The binary in the package of this platform, if npm installed it. */
function packaged() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@caveman-mcp/${process.platform}-${process.arch}/package.json`);
    const path = join(dirname(manifest), 'bin', NAME);
    return isProgram(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
