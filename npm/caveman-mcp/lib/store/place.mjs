// Whether the place of the store may be trusted with originals, which are kept in clear: a folder that does not exist is
// created 0700, the file 0600. A folder of ours that others may write is repaired; what belongs to somebody else is
// refused, and so is a symbolic link in place of the file. The same rules as the native binary's.
import { accessSync, chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from './error.mjs';

const hasModes = process.platform !== 'win32';
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** The folder of the store, resolved, created and checked. */
export function prepareFolder(folder) {
  attempt('create the folder', folder, () => createFolder(folder));
  const resolved = attempt('read the folder', folder, () => realpathSync(folder));
  const found = attempt('read the folder', resolved, () => statSync(resolved));
  if (!found.isDirectory()) throw refused(resolved, 'does not lie in a folder');
  if (!hasModes) return resolved;
  checkOwner(resolved, found);
  // A sticky folder is shared on purpose: others may write there, but not touch files that are ours.
  if ((found.mode & WRITABLE_BY_OTHERS) !== 0 && (found.mode & STICKY) === 0) {
    repair(resolved, found.mode & 0o7777 & ~WRITABLE_BY_OTHERS);
  }
  return resolved;
}

/** Creates a folder and those above it. Node.js's own way never returns where a file system takes no folder (`/proc`). */
export function createFolder(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || exists(dirname(folder))) throw error;
    createFolder(dirname(folder));
    createFolder(folder);
  }
}

/** The file of the store with its folder resolved, created when it is not there, and checked. */
export function prepareFile(path) {
  const file = join(prepareFolder(dirname(path)), basename(path));
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (error.code !== 'EEXIST' && !exists(file)) throw failed('create', file, error);
  }
  const found = attempt('read', file, () => lstatSync(file));
  if (found.isSymbolicLink()) throw refused(file, 'is a symbolic link: name the file itself in CAVEMAN_CCR_DB');
  if (!found.isFile()) throw refused(file, 'is not a regular file');
  if (hasModes) {
    checkOwner(file, found);
    if ((found.mode & 0o077) !== 0) repair(file, 0o600);
  }
  return file;
}

/** Fails when the file of the store, which is not there yet, could not be created: nothing is, to find out. */
export function checkAbsent(path) {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  attempt('create the database in', folder, () => accessSync(folder, constants.W_OK | constants.X_OK));
}

function exists(file) {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function checkOwner(path, found) {
  const us = process.geteuid();
  if (found.uid !== us) throw refused(path, `belongs to user ${found.uid}, not to user ${us} who runs this`);
}

function repair(path, mode) {
  try {
    chmodSync(path, mode);
  } catch (error) {
    // On media that nobody can write the mode does no harm.
    if (error.code !== 'EROFS' && error.code !== 'ENOENT') throw failed('repair the mode of', path, error);
  }
}

function attempt(what, path, action) {
  try {
    return action();
  } catch (error) {
    throw failed(what, path, error);
  }
}

const failed = (what, path, error) =>
  new StoreError(error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'cave_store_full' : 'cave_store_unavailable', `cannot ${what} ${path} of the recovery store: ${error.message}`);
const refused = (path, why) => new StoreError('cave_store_unavailable', `the recovery store ${path} ${why}`);
