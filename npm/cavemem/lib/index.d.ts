/** The exit code of the binary for a text above 262,144 bytes. */
export const MEMORY_TOO_LARGE_EXIT_CODE: 65;

export interface Options {
  /** The binary. Default: `CAVEMEM_BIN`, else `cavemem` on the PATH, else that of this platform's package. */
  bin?: string;
  /** The environment of the binary. Default: that of this process. */
  env?: Record<string, string | undefined>;
  /** Ends the call. */
  signal?: AbortSignal;
}

export interface RecallOptions extends Options {
  /** How many memories at most. Default: 5. */
  limit?: number;
  /** How many o200k tokens their texts may cost; 0 for no limit. Default: 2000. */
  tokenBudget?: number;
}

/** What became of a text. */
export interface Remembered {
  id: string;
  created_at: string | null;
  /** `known`: a current memory held exactly this text. */
  status: 'stored' | 'known';
  /** The version that it replaced. */
  supersedes?: string;
}

export interface Hit {
  id: string;
  /** The memory's text: whole, or as `form` says. */
  text: string;
  /** BM25. */
  score: number;
  /** o200k tokens of `text`. */
  tokens_added: number;
  basis: 'inferred';
  created_at: string | null;
  /** Absent when `text` is all of it. */
  form?: 'compressed' | 'head';
  /** What `recover` gives the whole text for. */
  recovery_handle?: string;
}

export interface Recall {
  /** Best first. */
  hits: Hit[];
  /** How many memories answer the query, those that did not fit included. */
  matching: number;
  tokens_added: number;
  basis: 'inferred';
}

/** One version of a memory. Times are RFC 3339 in UTC. */
export interface Version {
  id: string;
  text: string;
  created_at: string | null;
  valid_from: string | null;
  valid_until: string | null;
  supersedes: string | null;
  superseded_by: string | null;
}

export interface History {
  /** Oldest first. */
  versions: Version[];
  /** The current version; null when it was forgotten. */
  current: string | null;
}

/** Keeps a text; the same current text gives the same memory. */
export function remember(text: string, options?: Options): Promise<Remembered>;
/** The memories that answer a query, best first, within a budget. */
export function recall(query: string, options?: RecallOptions): Promise<Recall>;
/** Puts a text in the place of a current memory, which stays in its history. */
export function supersede(id: string, text: string, options?: Options): Promise<Remembered>;
/** Every version of a memory, oldest first, named by any of them. */
export function history(id: string, options?: Options): Promise<History>;
/** Erases one version from every file. */
export function forget(id: string, options?: Options): Promise<{ id: string; forgotten: true }>;
/** The whole text behind a recovery handle, as bytes. */
export function recover(handle: string, options?: Options): Promise<Buffer>;

/** A call that did not do what was asked. */
export class CavememError extends Error {
  /** `cave_memory_too_large`, `cave_unknown_memory`, `cave_binary_not_found`, `usage`, … */
  code: string;
  /** The binary's exit code; null when it was not run, or killed. */
  exitCode: number | null;
  stderr: string;
}
