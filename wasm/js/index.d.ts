/** What a payload is. A name may also be an alias that the command line knows, such as `csv` or `yaml`. */
export type ContentType = string;

export interface CompressOptions {
  /** The kind, instead of detecting it. An unknown name throws `cave_invalid_arguments`. */
  contentType?: ContentType;
  /** Words that protect the units that hold them. */
  query?: string;
  /** Fit the output into so many tokens where that is possible. */
  tokenBudget?: number;
  /** Also say what each marker stands for. Default: false. */
  elided?: boolean;
}

/** A stretch in bytes, the end not included. */
export interface Span {
  start: number;
  end: number;
}

/** A marker of the output and what it stands for. */
export interface Elided {
  /** Where the marker stands in `output`. */
  marker: Span;
  /** What was elided, in the payload. */
  original: Span;
  /** How many records, lines, rows, …; 0 when they are not counted. */
  units: number;
}

export interface Compressed {
  /** What the model is given: the payload itself when it was passed through. */
  output: Uint8Array;
  /** `output` as text; undefined when the payload is not UTF-8. */
  text: string | undefined;
  contentType: ContentType;
  /** o200k_base tokens of the payload. */
  tokensBefore: number;
  /** o200k_base tokens of the output. */
  tokensAfter: number;
  /** (before - after) / before; 0 when passed through. */
  ratio: number;
  basis: 'inferred';
  /** Under which the original was stored; null when passed through. */
  recoveryHandle: string | null;
  /** How the output was made; `none` when passed through. */
  method: string;
  /** Whether the output says everything that the payload says. */
  losslessToModel: boolean;
  /** Why the payload was passed through. */
  reason?: 'not_text' | 'no_compressor' | 'declined' | 'not_smaller' | 'not_stored';
  /** Whether the output fits `tokenBudget`; only when there was one. */
  withinBudget?: boolean;
  /** What else there is to say, such as why the original could not be stored. */
  note?: string;
  /** One for each marker, in order; only when it was asked for. */
  elided?: Elided[];
}

export interface Retrieved {
  /** The exact bytes of the original, or the units of it that match the query. */
  output: Uint8Array;
  /** `output` as text; undefined when the original is not UTF-8. */
  text: string | undefined;
  /** Whether `output` is a view by query. */
  isView: boolean;
  /** Units in the view. */
  shown?: number;
  /** Units that match. */
  matching?: number;
}

export interface Detection {
  contentType: ContentType;
  /** For code. */
  language?: string;
  /** Evidence per kind, best first. */
  scores: Record<ContentType, number>;
}

export interface Stats {
  tokensBefore: number;
  tokensAfter: number;
  ratio: number;
  requests: number;
  passedThrough: number;
  retrieves: number;
  retrievedTokens: number;
  basis: 'inferred';
  scope: 'session';
}

export interface StoreEntry {
  handle: string;
  contentType: ContentType;
  compressor: string;
  tokensBefore: number;
  tokensAfter: number;
}

/** Where originals are kept. A `put` that throws makes `compress` pass the payload through. */
export interface Store {
  put(entry: StoreEntry, original: Uint8Array): void;
  get(handle: string): { original: Uint8Array; contentType?: ContentType } | undefined;
}

export interface LoadOptions {
  /** The module, or where it is. Default: the file beside this one. */
  module?: URL | string | BufferSource | Response | WebAssembly.Module;
  /** Default: {@link memoryStore}. */
  store?: Store;
}

/** How TOON is written. */
export interface EncodeOptions {
  /** Default: a comma. */
  delimiter?: ',' | '\t' | '|';
  /** In spaces. Default: 2. */
  indentSize?: number;
}

/** How TOON is read. */
export interface DecodeOptions {
  /** In spaces. Default: 2. */
  indentSize?: number;
  /** Default: true. */
  strict?: boolean;
}

export interface Caveman {
  /** Never fails on a payload: what cannot be made smaller comes back as it is, with the reason. */
  compress(payload: string | Uint8Array, options?: CompressOptions): Compressed;
  /** Throws `cave_unknown_handle` when nothing is stored under the handle, in any form in which a model may copy it. */
  retrieve(handle: string, options?: { query?: string }): Retrieved;
  detect(payload: string | Uint8Array): Detection;
  stats(): Stats;
  /** Text from text, UTF-8 from UTF-8. Throws `cave_not_encodable` with the place in the JSON text. */
  toonEncode(json: string, options?: EncodeOptions): string;
  toonEncode(json: Uint8Array, options?: EncodeOptions): Uint8Array;
  /** Text from text, UTF-8 from UTF-8. Throws `cave_invalid_toon` with the place in the TOON text. */
  toonDecode(toon: string, options?: DecodeOptions): string;
  toonDecode(toon: Uint8Array, options?: DecodeOptions): Uint8Array;
  /** Exact o200k_base count. */
  countTokens(text: string): number;
  /** The handle under which an original is stored. */
  handleOf(original: string | Uint8Array): string;
}

export class CavemanError extends Error {
  /** `cave_…` */
  code: string;
  /** From 1, for TOON. */
  line?: number;
  /** In characters from 1, for TOON. */
  column?: number;
}

/** Loads the core, once per program. */
export function load(options?: LoadOptions): Promise<Caveman>;

/** Originals in memory, dropped with the program. */
export function memoryStore(): Store;
