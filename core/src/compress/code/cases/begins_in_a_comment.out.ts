 * Reads what is left (see `open {` above) and closes
 * the file, whatever "happens in between.
 */
export function drain(file: File): string {
  // [caveman: lines 5-15]
}

export class Pool {
  private readonly open = new Set<File>();

  take(name: string): File {
    // [caveman: lines 22-27]
  }
[caveman: 17 of 28 lines of TypeScript elided; caveman_retrieve("ccr_aa189821423dc1976dfe64710ed24147")]
