// The page: takes a payload, asks the worker, shows both sides. Nothing here looks at a whole payload: texts come from the
// worker laid out, and of each only the rows in sight are drawn.
import { Core } from './core.mjs';
import * as link from './link.mjs';
import { SAMPLES } from './samples.mjs';
import { View } from './view.mjs';

/** What is longer is shown, not edited: a text field of megabytes stops the page. */
const MAX_EDITABLE = 64 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_LISTED = 300;
const PEEK_ROWS = 9;
const TYPING_MS = 140;

const REASONS = {
  not_text: 'it is not text',
  no_compressor: 'nothing here compresses this kind',
  declined: 'it holds nothing that may be left out',
  not_smaller: 'it would not be at least 5 % smaller',
  not_stored: 'its original could not be stored',
};

const $ = (id) => document.getElementById(id);
const number = new Intl.NumberFormat('en-US');

const core = new Core(broken);
const before = new View($('before-view'), { mark: goneMark, map: $('map') });
const after = new View($('after-view'), { mark: markerMark });
const toon = new View($('toon-view'), { mark: plainMark });
const found = new View($('found-view'), { mark: plainMark });

/** What the page shows now. `answer` is the worker's, undefined before the first. */
const state = { text: '', isText: true, bytes: 0, answer: undefined, tab: 'output', toon: 'encode', sample: '', theme: '', sizes: {} };

// --- the payload

async function take(payload, { sample = '' } = {}) {
  const size = payload.bytes?.byteLength ?? payload.text.length;
  if (size > MAX_BYTES) return say(`That is more than this page takes (${sizeOf(MAX_BYTES)}).`);
  say('Reading…');
  const taken = await core.ask('take', payload, payload.bytes ? [payload.bytes] : []);
  Object.assign(state, { text: payload.text ?? taken.text ?? '', isText: taken.isText, bytes: taken.bytes, sample });
  $('sample').value = sample;
  if (!isEditing()) $('editor').value = '';
  edit(state.bytes === 0, { isNew: true });
  $('edit').disabled = state.bytes === 0 || state.bytes > MAX_EDITABLE || !state.isText;
  await refresh();
}

/** Only the newest question is worth an answer: while one is out, later ones wait as one. */
let isBusy = false;
let isStale = false;
async function refresh() {
  keepLink();
  if (isBusy) return void (isStale = true);
  isBusy = true;
  try {
    do {
      isStale = false;
      await compress();
    } while (isStale);
  } catch (error) {
    broken(error.message);
  } finally {
    isBusy = false;
  }
}

async function compress() {
  const options = { contentType: $('kind').value || undefined, query: $('keep').value.trim() || undefined, tokenBudget: Number($('budget').value) || undefined };
  const answer = await core.ask('compress', { options, columns: { before: before.columns, after: after.columns } });
  state.answer = answer;
  before.show({ text: state.text, ...answer.before }, { keepPlace: isEditing() });
  after.show(answer.after);
  showFigures(answer);
  showMarkers(answer);
  await showToon();
}

function showFigures({ figures, before: { lines }, after: { lines: linesAfter }, scores }) {
  const { tokensBefore, tokensAfter, ratio, contentType, recoveryHandle, method, losslessToModel, reason, withinBudget, note } = figures;
  const isEmpty = state.bytes === 0;
  $('copy').disabled = isEmpty;
  $('saved').firstElementChild.textContent = isEmpty ? '–' : `${Math.min(Math.round(ratio * 100), 99)} %`;
  $('bar').style.width = `${isEmpty ? 0 : Math.max((tokensAfter / tokensBefore) * 100, 0.6)}%`;
  const counts = $('counts');
  if (isEmpty) counts.textContent = 'Paste, drop or pick something to compress.';
  else if (recoveryHandle === null) counts.replaceChildren(strong(tokens(tokensBefore)), `, passed through: ${REASONS[reason]}`);
  else counts.replaceChildren(strong(number.format(tokensBefore)), ' → ', strong(tokens(tokensAfter)));
  const scored = Object.keys(scores ?? {});
  const facts = isEmpty ? [] : [
    [strong(contentType), $('kind').value ? ' forced' : scored.length > 1 ? ` over ${scored.find((kind) => kind !== contentType) ?? ''}` : ' detected'],
    ...(recoveryHandle === null ? [] : [[method === 'elide' ? 'elided' : method], [losslessToModel ? 'nothing left out' : 'original kept in this page']]),
    ...(withinBudget === false ? [['over the budget']] : []),
    ...(note ? [[note]] : []),
    ['o200k_base, inferred'],
  ];
  $('facts').replaceChildren(...facts.map((parts) => element('li', {}, ...parts)));
  $('before-size').textContent = isEmpty ? '' : `${plural(lines, 'line')}, ${sizeOf(state.bytes)}`;
  state.sizes = { output: isEmpty ? '' : `${tokens(tokensAfter)}, ${plural(linesAfter, 'line')}`, toon: '' };
  showSize();
}

const showSize = () => ($('after-size').textContent = state.sizes[state.tab] ?? '');

// --- markers, and what they stand for

function goneMark(name, text) {
  const gone = element('span', { className: 'gone' }, text);
  gone.addEventListener('click', () => pick(name));
  return gone;
}

function markerMark(name, text, isFirst) {
  // Where a marker goes on in the next row there is nothing more to reach by keyboard.
  const marker = element(isFirst ? 'button' : 'span', { className: 'marker', ...(isFirst ? { type: 'button' } : {}) }, text);
  marker.addEventListener('click', () => pick(name));
  for (const event of ['pointerenter', 'focus']) marker.addEventListener(event, () => peek(name, marker));
  for (const event of ['pointerleave', 'blur']) marker.addEventListener(event, unpeek);
  return marker;
}

function plainMark(_, text) {
  return element('span', {}, text);
}

/** Where the elided stretch of a marker stands in the original; undefined for the line that names the handle. */
function stretchOf(name) {
  const { marks } = before;
  for (let i = 0; i < marks.length; i += 3) if (marks[i + 2] === name) return { start: marks[i], end: marks[i + 1] };
  return undefined;
}

/** Shows what a marker stands for, in the original and by itself. */
async function pick(name) {
  unpeek();
  after.activate(name);
  before.activate(name);
  for (const button of $('markers').querySelectorAll('button')) button.setAttribute('aria-current', String(button.dataset.mark === String(name)));
  $('query').value = '';
  const stretch = stretchOf(name);
  if (stretch === undefined) return retrieve();
  const part = await core.ask('part', { ...stretch, columns: found.columns });
  found.show({ ...part, first: before.lineOf(stretch.start) });
  note($('found-note'), strong(titleOf(name)), ` left out, as they stood: ${sizeOf(part.bytes)}, ${tokens(part.tokens)}`);
}

async function retrieve() {
  const handle = state.answer?.figures.recoveryHandle;
  if (!handle) return;
  const query = $('query').value.trim();
  const got = await core.ask('retrieve', { handle, query, columns: found.columns });
  found.show(got);
  const size = `${sizeOf(got.bytes)}, ${tokens(got.tokens)}`;
  if (got.isView) note($('found-note'), strong(`${number.format(got.shown)} of ${plural(got.matching, 'matching unit')}`), `: ${size}`);
  else note($('found-note'), strong(query === '' ? 'The original' : 'The whole original, as no part of it would do'), got.isWhole ? `, byte for byte: ${size}` : `: ${size}`);
}

function showMarkers({ figures, units }) {
  const handle = figures.recoveryHandle ?? '';
  $('handle').textContent = handle;
  $('handle').title = handle;
  for (const control of $('query-form').elements) control.disabled = handle === '';
  const listed = Array.from({ length: Math.min(units.length, MAX_LISTED) }, (_, name) => name);
  const items = listed.map((name) => {
    const [title, facts] = [titleOf(name), factsOf(name)];
    const button = element('button', { type: 'button' }, element('span', {}, title), element('span', {}, facts));
    button.dataset.mark = String(name);
    button.addEventListener('click', () => pick(name));
    return element('li', {}, button);
  });
  if (units.length > MAX_LISTED) items.push(element('li', { className: 'more' }, `and ${number.format(units.length - MAX_LISTED)} more`));
  if (units.length === 0) items.push(element('li', { className: 'more' }, handle === '' ? (state.bytes === 0 ? 'Markers are listed here.' : 'Nothing was left out.') : 'Nothing was left out: it was only written shorter.'));
  $('markers').replaceChildren(...items);
  found.show({ text: '', starts: new Uint32Array(), numbers: new Uint32Array() });
  note($('found-note'), handle === '' ? (state.bytes === 0 ? 'What was left out can be had back here.' : 'There is nothing to recover.') : 'Pick a marker to see what it stands for, or retrieve by words.');
}

/** The text of a marker without its brackets and the payload's syntax around it. */
function markerText(name) {
  const { marks, text } = after;
  for (let i = 0; i < marks.length; i += 3) {
    if (marks[i + 2] !== name) continue;
    return /\[caveman: (.*)\]/s.exec(text.slice(marks[i], marks[i + 1]))?.[1] ?? text.slice(marks[i], marks[i + 1]);
  }
  return '';
}

const titleOf = (name) => markerText(name).split(/ elided|;/)[0];
const factsOf = (name) => /elided: ([^;]*)/.exec(markerText(name))?.[1] ?? '';

function peek(name, marker) {
  const stretch = stretchOf(name);
  if (stretch === undefined || !marker.isConnected) return;
  const head = state.text.slice(stretch.start, Math.min(stretch.end, stretch.start + PEEK_ROWS * 400)).split('\n');
  const rows = head.slice(0, PEEK_ROWS).map((row) => row.slice(0, 160));
  if (head.length > PEEK_ROWS || rows.join('\n').length < stretch.end - stretch.start - 1) rows.push('…');
  const box = $('peek');
  box.replaceChildren(element('p', {}, `${titleOf(name)}: click to see all`), element('pre', {}, rows.join('\n')));
  box.hidden = false;
  const at = marker.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  box.style.left = `${Math.max(16, Math.min(at.left, innerWidth - size.width - 16))}px`;
  box.style.top = `${at.bottom + size.height + 8 < innerHeight ? at.bottom + 6 : Math.max(at.top - size.height - 6, 8)}px`;
}

const unpeek = () => ($('peek').hidden = true);

// --- TOON

async function showToon() {
  if (state.tab !== 'toon') return;
  for (const direction of ['encode', 'decode']) $(`toon-${direction}`).setAttribute('aria-pressed', String(state.toon === direction));
  const answer = await core.ask('toon', { direction: state.toon, columns: toon.columns });
  const box = $('toon-note');
  box.classList.toggle('bad', answer.failure !== undefined && state.bytes > 0);
  if (answer.failure !== undefined) {
    toon.show({ text: '', starts: new Uint32Array(), numbers: new Uint32Array() });
    note(box, state.bytes === 0 ? '' : `Not ${state.toon === 'encode' ? 'JSON' : 'TOON'}: ${answer.failure.message}`);
    state.sizes.toon = '';
  } else {
    toon.show(answer);
    note(box, strong(number.format(answer.tokensBefore)), ' → ', strong(tokens(answer.tokens)));
    state.sizes.toon = `${tokens(answer.tokens)}, ${plural(answer.lines, 'line')}`;
  }
  showSize();
}

function showTab(tab, { focus = false } = {}) {
  state.tab = tab;
  for (const name of ['output', 'toon']) {
    const [button, panel] = [$(`tab-${name}`), $(`panel-${name}`)];
    button.setAttribute('aria-selected', String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
    panel.hidden = name !== tab;
    if (focus && name === tab) button.focus();
  }
  showSize();
  keepLink();
  relayout();
  return showToon();
}

// --- editing

const isEditing = () => $('before').classList.contains('editing');

function edit(on, { isNew = false } = {}) {
  if (on && !isEditing()) $('editor').value = state.text;
  $('before').classList.toggle('editing', on);
  $('edit').setAttribute('aria-pressed', String(on));
  $('edit').textContent = on && state.bytes > 0 ? 'Done' : 'Edit';
  if (!on && !isNew) relayout();
}

let typing;
$('editor').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(async () => {
    const text = $('editor').value;
    const taken = await core.ask('take', { text });
    Object.assign(state, { text, isText: true, bytes: taken.bytes, sample: '' });
    $('sample').value = '';
    $('edit').disabled = false;
    $('edit').textContent = 'Done';
    await refresh();
  }, TYPING_MS);
});

$('edit').addEventListener('click', () => {
  const on = !isEditing();
  edit(on || state.bytes === 0);
  if (on) $('editor').focus();
});

// --- ways in: paste, drop, file, sample

addEventListener('paste', (event) => {
  const [file] = event.clipboardData.files;
  const text = event.clipboardData.getData('text/plain');
  const isField = event.target instanceof HTMLInputElement;
  // A short text is pasted where the cursor is; all else replaces the payload.
  if (isField || (event.target === $('editor') && file === undefined && $('editor').value !== '' && $('editor').value.length + text.length <= MAX_EDITABLE)) return;
  event.preventDefault();
  if (file !== undefined) takeFile(file);
  else if (text !== '') take({ text });
});

async function takeFile(file) {
  if (file.size > MAX_BYTES) return say(`${file.name} is larger than this page takes (${sizeOf(MAX_BYTES)}).`);
  take({ bytes: await file.arrayBuffer() });
}

let depth = 0;
addEventListener('dragenter', (event) => {
  event.preventDefault();
  depth += 1;
  $('drop').hidden = false;
});
addEventListener('dragleave', () => ($('drop').hidden = --depth > 0));
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  depth = 0;
  $('drop').hidden = true;
  const [file] = event.dataTransfer.files;
  const text = event.dataTransfer.getData('text/plain');
  if (file !== undefined) takeFile(file);
  else if (text !== '') take({ text });
});

$('open').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', ({ target }) => {
  if (target.files.length > 0) takeFile(target.files[0]);
  target.value = '';
});
$('clear').addEventListener('click', async () => {
  for (const id of ['kind', 'keep', 'budget', 'query']) $(id).value = '';
  await take({ text: '' });
  $('editor').focus();
});

async function takeSample(name) {
  if (name === '') return take({ text: '' });
  const answer = await fetch(new URL(`samples/${name}`, import.meta.url));
  if (!answer.ok) return say(`The sample ${name} is not here.`);
  return take({ bytes: await answer.arrayBuffer() }, { sample: name });
}

for (const [file, title] of SAMPLES) $('sample').append(element('option', { value: file }, title));
$('sample').addEventListener('change', ({ target }) => takeSample(target.value));

// --- options

$('controls').addEventListener('submit', (event) => event.preventDefault());
$('kind').addEventListener('change', refresh);
for (const id of ['keep', 'budget']) {
  let timer;
  $(id).addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, TYPING_MS);
  });
}
$('query-form').addEventListener('submit', (event) => {
  event.preventDefault();
  retrieve();
});
for (const tab of ['output', 'toon']) {
  $(`tab-${tab}`).addEventListener('click', () => showTab(tab));
  $(`tab-${tab}`).addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowLeft' || key === 'ArrowRight') showTab(tab === 'toon' ? 'output' : 'toon', { focus: true });
  });
}
for (const direction of ['encode', 'decode']) {
  $(`toon-${direction}`).addEventListener('click', () => {
    state.toon = direction;
    keepLink();
    showToon();
  });
}
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText((state.tab === 'toon' ? toon : after).text);
  $('copy').textContent = 'Copied';
  setTimeout(() => ($('copy').textContent = 'Copy'), 1200);
});
$('theme').addEventListener('click', () => {
  const isDark = state.theme === 'dark' || (state.theme === '' && matchMedia('(prefers-color-scheme: dark)').matches);
  showTheme(isDark ? 'light' : 'dark');
  keepLink();
});
addEventListener('keydown', ({ key }) => key === 'Escape' && unpeek());

function showTheme(theme) {
  state.theme = theme;
  if (theme === '') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  relayout();
}

/** Lays every text out anew for the width that its pane has now. */
async function relayout() {
  for (const [name, view] of Object.entries({ before, after, toon, found })) {
    if (view.text !== '') view.relay(await core.ask('layout', { name, columns: view.columns }));
  }
}
let resizing;
addEventListener('resize', () => {
  clearTimeout(resizing);
  resizing = setTimeout(relayout, 80);
});

// --- the link

function keepLink() {
  const { sample, theme } = state;
  const options = { sample, kind: $('kind').value, keep: $('keep').value.trim(), budget: $('budget').value, tab: state.tab === 'toon' ? 'toon' : '', toon: state.toon === 'decode' ? 'decode' : '', theme };
  history.replaceState(null, '', location.pathname + location.search + link.format(options));
}

async function followLink() {
  const { sample = '', kind = '', keep = '', budget = '', tab = 'output', toon: direction = 'encode', theme = '' } = link.parse(location.hash);
  $('kind').value = kind;
  if ($('kind').selectedIndex < 0) $('kind').value = '';
  $('keep').value = keep;
  $('budget').value = budget;
  state.toon = direction;
  showTheme(theme);
  showTab(tab);
  await takeSample(SAMPLES.some(([file]) => file === sample) ? sample : SAMPLES[0][0]);
}
addEventListener('hashchange', followLink);

// --- words

function say(text) {
  $('counts').textContent = text;
}

function broken(why) {
  say(`The core stopped: ${why}. Load the page again.`);
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const strong = (text) => element('b', {}, text);
const note = (box, ...parts) => box.replaceChildren(...parts);
const plural = (count, noun) => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;
const tokens = (count) => plural(count, 'token');

function sizeOf(bytes) {
  if (bytes < 1024) return plural(bytes, 'byte');
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}

await followLink();
