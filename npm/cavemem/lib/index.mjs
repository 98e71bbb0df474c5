// Memories from a program: each call runs the binary `cavemem`, which does the work. Texts go over stdin, never into the
// list of arguments, where other users of the machine could read them.
import { spawn } from 'node:child_process';
import { findBinary } from './binary.mjs';
import { CavememError } from './error.mjs';

export { CavememError };

/** The exit code of the binary for a text above 262,144 bytes; `CavememError.code` is then `cave_memory_too_large`. */
export const MEMORY_TOO_LARGE_EXIT_CODE = 65;

/** Keeps a text; the same current text gives the same memory. */
export const remember = (text, options) => answer(['remember', '--stdin'], text, options);

/** The memories that answer a query, best first, within a budget. */
export function recall(query, options = {}) {
  const { limit, tokenBudget } = options;
  const args = ['recall', '--stdin'];
  if (limit !== undefined) args.push(`--limit=${limit}`);
  if (tokenBudget !== undefined) args.push(`--token-budget=${tokenBudget}`);
  return answer(args, query, options);
}

/** Puts a text in the place of a current memory, which stays in its history. */
export const supersede = (id, text, options) => answer(['supersede', '--stdin', '--', id], text, options);

/** Every version of a memory, oldest first, named by any of them. */
export const history = (id, options) => answer(['history', '--', id], '', options);

/** Erases one version from every file. */
export const forget = (id, options) => answer(['forget', '--', id], '', options);

/** The whole text behind a recovery handle, as bytes. */
export const recover = (handle, options) => run(['recover', '--', handle], '', options);

async function answer(args, input, options) {
  return JSON.parse((await run([...args.slice(0, 1), '--json', ...args.slice(1)], input, options)).toString('utf8'));
}

/** Runs the binary to its end and gives what it printed. */
function run(args, input, { bin, env = process.env, signal } = {}) {
  for (const value of [input, ...args]) {
    if (typeof value !== 'string') return Promise.reject(new TypeError(`a string is wanted, not ${typeof value}`));
  }
  if (!input.isWellFormed?.() && /[\ud800-\udfff]/u.test(input)) {
    return Promise.reject(new TypeError('the text holds a surrogate without its pair'));
  }
  return new Promise((resolve, reject) => {
    const path = bin ?? findBinary(env);
    const child = spawn(path, args, { env: { ...env, CAVEMAN_LOG: 'error' }, signal, stdio: 'pipe', windowsHide: true });
    const out = [];
    const said = [];
    child.stdout.on('data', (bytes) => out.push(bytes));
    child.stderr.on('data', (bytes) => said.push(bytes));
    // A binary that ends before it has read everything says why on stderr.
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES') {
        reject(new CavememError('cave_binary_not_found', `${path} cannot be run: set CAVEMEM_BIN or install the package of this platform`, { cause: error }));
      } else {
        reject(error);
      }
    });
    child.on('close', (exitCode, killedBy) => {
      if (exitCode === 0) {
        resolve(Buffer.concat(out));
      } else {
        reject(CavememError.of(exitCode, killedBy, Buffer.concat(said).toString('utf8')));
      }
    });
    child.stdin.end(input);
  });
}
