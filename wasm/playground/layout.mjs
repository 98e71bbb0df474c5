// Text as rows of fixed height: long lines are broken at a number of columns, so that a view needs to draw only the rows
// that are seen, whatever the text is.

const TAB = 4;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const [SPACE, COMMA] = [32, 44];

/** Where each row begins in `text`, and its line number; 0 where a row goes on with the line before it. */
export function layout(text, columns) {
  const starts = new Growing();
  const numbers = new Growing();
  let [line, width] = [1, 0];
  // Where the row may be broken without breaking a word, and how wide it is up to there.
  let [gap, widthAtGap] = [0, 0];
  starts.push(0);
  numbers.push(line);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED) {
      [width, widthAtGap] = [0, 0];
      if (at + 1 === text.length) break;
      starts.push(at + 1);
      numbers.push(++line);
      continue;
    }
    const cells = unit === 9 ? TAB - (width % TAB) : cellsOf(unit);
    if (width + cells > columns && width > 0) {
      const isNear = widthAtGap > 0 && width - widthAtGap <= columns / 3;
      starts.push(isNear ? gap : at);
      numbers.push(0);
      width = isNear ? width - widthAtGap : 0;
      widthAtGap = 0;
    }
    width += cells;
    if (unit === SPACE || unit === COMMA || unit === 9) [gap, widthAtGap] = [at + 1, width];
  }
  return { starts: starts.done(), numbers: numbers.done(), lines: text === '' ? 0 : line };
}

/** Columns of a UTF-16 unit. The first half of a pair takes both columns, so that a pair is never broken. */
function cellsOf(unit) {
  if (unit < 0x1100) return unit === CARRIAGE_RETURN ? 0 : 1;
  if (unit >= 0xdc00 && unit < 0xe000) return 0;
  return unit < 0x2e80 && unit >= 0x1200 ? 1 : 2;
}

/** The row that holds the unit at `at`. */
export function rowOf(starts, at) {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/**
 * Stretches in bytes as stretches in UTF-16 units, as `[start, end, name, …]`, in order and without overlap. `stretches`
 * are `{ start, end }`; the name of each is its place among them.
 */
export function inUnits(bytes, text, stretches) {
  const edges = stretches.flatMap(({ start, end }, name) => [{ at: start, name }, { at: end, name }]).sort((a, b) => a.at - b.at);
  const spans = stretches.map(() => []);
  const isAscii = bytes.length === text.length;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [byte, unit] = [0, 0];
  for (const { at, name } of edges) {
    unit = isAscii ? at : unit + decoder.decode(bytes.subarray(byte, at)).length;
    byte = at;
    spans[name].push(unit);
  }
  const out = new Growing();
  let from = 0;
  const order = spans.map((_, name) => name).sort((a, b) => spans[a][0] - spans[b][0]);
  for (const name of order) {
    const [start, end] = [Math.max(spans[name][0], from), spans[name][1]];
    if (start >= end) continue;
    for (const number of [start, end, name]) out.push(number);
    from = end;
  }
  return out.done();
}

/** An array of whole numbers that grows. */
class Growing {
  #numbers = new Uint32Array(1024);
  #length = 0;

  push(number) {
    if (this.#length === this.#numbers.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  done() {
    return this.#numbers.slice(0, this.#length);
  }
}
