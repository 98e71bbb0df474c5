// A call that did not do what was asked.

export class CavememError extends Error {
  /** @param {string} code `cave_…`, or `usage` */
  constructor(code, message, { exitCode = null, stderr = '', cause } = {}) {
    super(message, { cause });
    this.name = 'CavememError';
    this.code = code;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }

  /** From how the binary ended: the code stands in the last line that it said. */
  static of(exitCode, killedBy, stderr) {
    const said = stderr.match(/^cavemem: (?:(cave_[a-z_]+): )?(.*)$/m);
    const ended = killedBy === null ? `cavemem ended with status ${exitCode}` : `cavemem was ended by ${killedBy}`;
    const code = said?.[1] ?? (exitCode === 2 ? 'usage' : 'cave_failed');
    return new CavememError(code, said?.[2] || stderr.trim() || ended, { exitCode, stderr });
  }
}
