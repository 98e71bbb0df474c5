#!/usr/bin/env node
// Asks a command and another binary of the same version the same things, and wants the same bytes: a whole session over payloads
// of every kind, the verbs of the command line, and a memory from its first day to its last. Not compared is what names the
// folder of the originals or the program's file, and what chance or the clock makes.
//
//   node npm/scripts/compare.mjs REFERENCE COMMAND [ARGUMENT …]
//
// `cavemem` stands beside each `caveman-mcp`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { callLine, payloads, session } from '../tests/payloads.mjs';

const [reference, ...command] = process.argv.slice(2);
if (command.length === 0) fail('give the binary to compare with, and the command to try');

const handleOf = (text) => `ccr_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
const sides = [[reference], command].map((caveman) => {
  const home = mkdtempSync(join(tmpdir(), 'caveman-compare-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const cavemem = caveman.map((part) => part.replace(/caveman-mcp(\.exe)?$/, 'cavemem$1'));
  return { home, programs: { caveman, cavemem } };
});
let n_compared = 0;

const statsLine = callLine('stats', 'stats', {});
const answers = both('caveman', ['serve'], `${session(handleOf).join('\n')}\n${statsLine}`, { splitAt: '\n' });
if (!answers.includes('"entries\\":')) fail('the session came to no stats');

const [, log] = payloads().find(([name]) => name === 'sshd.log');
const [, json] = payloads().find(([name]) => name === 'orders.json');
both('caveman', ['--version']);
both('caveman', ['compress'], log);
both('caveman', ['compress', '--json', '--query', 'Accepted'], log);
both('caveman', ['compress', 'tests/samples/traces.log']);
if (both('caveman', ['retrieve', handleOf(log)]) !== log) fail('the original came back changed');
both('caveman', ['retrieve', handleOf(log), '--query', 'Accepted']);
both('caveman', ['retrieve', `ccr_${'0'.repeat(32)}`]);
both('caveman', ['detect', '--json'], json);
both('caveman', ['toon', 'decode'], both('caveman', ['toon', 'encode'], json));
both('caveman', ['toon', 'decode'], 'a[2]: 1');
both('caveman', ['stats', '--json']);
both('caveman', ['store', 'info', '--json']);
both('caveman', ['store', 'verify']);
both('caveman', ['compress', '--type', 'nonsense'], 'x');
both('caveman', ['compress', '--help']);
both('caveman', ['completions', 'powershell']);

const ids = sides.map((side) => JSON.parse(ask(side, 'cavemem', ['remember', '--stdin'], 'Deploys go through staging; naïve 漢.').stdout).id);
both('cavemem', ['recall', '--stdin'], 'how are deploys done');
const versions = sides.map((side, at) => masked(side, ask(side, 'cavemem', ['supersede', '--stdin', ids[at]], 'Deploys need one approval.').stdout));
same('cavemem supersede', versions);
same('cavemem history', sides.map((side, at) => masked(side, ask(side, 'cavemem', ['history', ids[at]]).stdout)));
same('cavemem forget', sides.map((side, at) => masked(side, ask(side, 'cavemem', ['forget', ids[at]]).stdout)));
both('cavemem', ['stats']);
both('cavemem', ['recall', 'deploys']);
console.log(`${n_compared} answers are equal to the byte`);

/** Asks both; gives what they answered, without the line feed at its end where it is split. */
function both(program, args, input = '', { splitAt } = {}) {
  const done = sides.map((side) => ({ side, ...ask(side, program, args, input) }));
  const what = `${program} ${args.join(' ')}`;
  if (done[0].status !== done[1].status) fail(`${what}: status ${done[1].status}, not ${done[0].status}\n${done[1].stderr}`);
  const texts = done.map(({ side, stdout }) => masked(side, stdout));
  if (splitAt === undefined) {
    same(what, texts);
  } else {
    const [expected, found] = texts.map((text) => text.split(splitAt));
    same(`${what}: number of lines`, [expected.length, found.length].map(String));
    expected.forEach((line, at) => same(`${what}: line ${at}`, [line, found[at]]));
  }
  same(`${what}: stderr`, done.map(({ side, stderr }) => masked(side, stderr)));
  return texts[0];
}

function ask({ home, programs }, program, args, input = '') {
  const [name, ...before] = programs[program];
  const env = { ...process.env, CAVEMAN_HOME: home, WINEDEBUG: '-all', NO_COLOR: '1' };
  const done = spawnSync(name, [...before, ...args], { env, input, encoding: 'utf8', maxBuffer: 1 << 30, timeout: 600_000 });
  if (done.error !== undefined) fail(`${name}: ${done.error.message}`);
  return done;
}

/** Without what is no one's but this side's: its folder, in the spelling of its system; the program's ending; ids that chance gives; times. */
function masked({ home }, text) {
  const folder = new RegExp(`[^\\s"]*${basename(home)}[^\\s":]*`, 'g');
  const placed = text.replace(folder, (path) => `<home>${/[^/\\]*$/.exec(path)[0]}`);
  return placed.replace(/\b(caveman-mcp|cavemem)\.exe\b/g, '$1').replace(/mem_[0-9a-f]{12}/g, 'mem_…').replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"');
}

function same(what, [expected, found]) {
  n_compared += 1;
  if (expected === found) return;
  let at = 0;
  while (expected[at] === found[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
  fail(`${what} differs at ${at}:\n  ${near(expected)}\n  ${near(found)}`);
}

function fail(why) {
  console.error(`compare: ${why}`);
  process.exit(1);
}
