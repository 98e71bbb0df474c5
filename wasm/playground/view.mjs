// A pane of text of which only the rows in sight are in the document.
import { rowOf } from './layout.mjs';

/** Cells beside the digits of the line numbers: before, between, after. */
const GUTTER_CELLS = 4;
/** Rows drawn above and below those in sight, so that a small move of the wheel shows no gap. */
const SPARE_ROWS = 12;

export class View {
  /** The text as it is shown; `marks` are `[start, end, name, …]` as the worker gives them, `first` the number of its first line. */
  #doc = { text: '', starts: new Uint32Array(), numbers: new Uint32Array(), marks: new Uint32Array() };
  #element;
  #rows;
  #room;
  #draw;
  #active = -1;
  #pending = false;
  #map;

  /**
   * `element` scrolls. `mark(name, text, isFirst)` makes the element of a marked stretch. `map`, a canvas, shows where marks are.
   */
  constructor(element, { mark, map }) {
    this.#element = element;
    this.#draw = mark;
    this.#map = map;
    this.#room = document.createElement('div');
    this.#room.className = 'room';
    this.#rows = document.createElement('div');
    this.#rows.className = 'rows';
    this.#room.append(this.#rows);
    element.append(this.#room);
    element.addEventListener('scroll', () => this.#soon(), { passive: true });
    map?.addEventListener('click', ({ offsetY }) => this.#scrollTo(Math.floor((offsetY / map.clientHeight) * this.#doc.starts.length)));
  }

  get text() {
    return this.#doc.text;
  }

  get marks() {
    return this.#doc.marks;
  }

  /** The number of the line that holds the unit at `at`. */
  lineOf(at) {
    const { starts, numbers } = this.#doc;
    let row = rowOf(starts, at);
    while (row > 0 && numbers[row] === 0) row -= 1;
    return numbers[row] ?? 1;
  }

  /** How many columns fit. */
  get columns() {
    // Digits for the lines that a text may have before its lines are counted.
    const digits = Math.max(String(this.#doc.last ?? 1).length, 4);
    return Math.max(this.#cells() - digits - GUTTER_CELLS, 16);
  }

  show(doc, { keepPlace = false } = {}) {
    this.#doc = { marks: new Uint32Array(), ...doc };
    this.#active = -1;
    if (!keepPlace) this.#element.scrollTop = 0;
    this.#doc.last = (this.#doc.first ?? 1) + Math.max((this.#doc.lines ?? 1) - 1, 0);
    this.#element.style.setProperty('--digits', String(String(this.#doc.last).length));
    this.#element.classList.toggle('plain', this.#doc.text === '');
    this.#fit();
  }

  /** The same text for another width; the first row in sight stays. */
  relay(rows) {
    const at = this.#doc.starts[Math.floor(this.#element.scrollTop / this.#rowHeight())] ?? 0;
    Object.assign(this.#doc, rows);
    this.#fit();
    this.#element.scrollTop = rowOf(this.#doc.starts, at) * this.#rowHeight();
  }

  /** Brings a mark into sight and makes it stand out; -1 for none. */
  activate(name) {
    this.#active = name;
    const { marks, starts } = this.#doc;
    for (let i = 0; i < marks.length; i += 3) {
      if (marks[i + 2] !== name) continue;
      const row = rowOf(starts, marks[i]);
      const top = row * this.#rowHeight();
      const { scrollTop, clientHeight } = this.#element;
      if (top < scrollTop || top > scrollTop + clientHeight - 3 * this.#rowHeight()) this.#scrollTo(row - 3);
    }
    this.#soon();
  }

  #scrollTo(row) {
    this.#element.scrollTop = Math.max(row, 0) * this.#rowHeight();
  }

  #fit() {
    this.#room.style.height = `${this.#doc.starts.length * this.#rowHeight()}px`;
    this.#drawMap();
    this.#paint();
  }

  #soon() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => {
      this.#pending = false;
      this.#paint();
    });
  }

  #rowHeight() {
    return parseFloat(getComputedStyle(this.#element).lineHeight);
  }

  #cells() {
    const probe = document.createElement('span');
    probe.className = 'probe';
    probe.textContent = '0'.repeat(100);
    this.#rows.append(probe);
    const width = probe.getBoundingClientRect().width / 100;
    probe.remove();
    return Math.floor(this.#element.clientWidth / width);
  }

  #paint() {
    const { text, starts, numbers, marks } = this.#doc;
    const height = this.#rowHeight();
    const first = Math.max(Math.floor(this.#element.scrollTop / height) - SPARE_ROWS, 0);
    const end = Math.min(first + Math.ceil(this.#element.clientHeight / height) + 2 * SPARE_ROWS, starts.length);
    const rows = [];
    let at = firstMark(marks, starts[first] ?? 0);
    for (let row = first; row < end; row++) {
      const [from, to] = [starts[row], starts[row + 1] ?? text.length];
      const line = document.createElement('div');
      line.className = 'row';
      const number = document.createElement('span');
      number.className = 'number';
      number.setAttribute('aria-hidden', 'true');
      number.textContent = numbers[row] === 0 ? '' : String(numbers[row] + (this.#doc.first ?? 1) - 1);
      const content = document.createElement('span');
      content.className = 'content';
      let cursor = from;
      while (at < marks.length && marks[at] < to) {
        const [start, stop, name] = [Math.max(marks[at], from), Math.min(marks[at + 1], to), marks[at + 2]];
        if (start > cursor) content.append(text.slice(cursor, start));
        const element = this.#draw(name, withoutEnd(text.slice(start, stop)), marks[at] >= from);
        element.classList.toggle('active', name === this.#active);
        element.dataset.mark = String(name);
        content.append(element);
        cursor = stop;
        if (marks[at + 1] > to) break;
        at += 3;
      }
      if (cursor < to) content.append(withoutEnd(text.slice(cursor, to)));
      line.append(number, content);
      rows.push(line);
    }
    // What has the focus keeps it when rows are drawn anew.
    const focused = this.#rows.contains(document.activeElement) ? document.activeElement.dataset.mark : undefined;
    this.#rows.style.transform = `translateY(${first * height}px)`;
    this.#rows.replaceChildren(...rows);
    if (focused !== undefined) (this.#rows.querySelector(`button[data-mark="${focused}"]`) ?? this.#element).focus({ preventScroll: true });
  }

  #drawMap() {
    const map = this.#map;
    if (map === undefined) return;
    const scale = devicePixelRatio;
    const [width, height] = [map.clientWidth * scale, map.clientHeight * scale];
    Object.assign(map, { width, height });
    const { marks, text } = this.#doc;
    const style = getComputedStyle(map);
    const paint = map.getContext('2d');
    if (text === '') return;
    paint.fillStyle = style.color;
    paint.fillRect(0, 0, width, height);
    paint.fillStyle = style.backgroundColor;
    const rowAt = (at) => (rowOf(this.#doc.starts, at) / this.#doc.starts.length) * height;
    for (let i = 0; i < marks.length; i += 3) {
      const top = rowAt(marks[i]);
      paint.fillRect(0, top, width, Math.max(rowAt(marks[i + 1]) - top, 0.5));
    }
  }
}

/** The first mark that ends behind `at`. */
function firstMark(marks, at) {
  let [low, high] = [0, marks.length / 3];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle * 3 + 1] <= at) low = middle + 1;
    else high = middle;
  }
  return low * 3;
}

const withoutEnd = (text) => text.replace(/\r?\n$/, '');
