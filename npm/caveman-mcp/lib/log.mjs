// Lines on stderr, as many as CAVEMAN_LOG wants. stdout belongs to payloads and to the protocol.
import { writeSync } from 'node:fs';

const LEVELS = ['off', 'error', 'warn', 'info', 'debug'];
let wanted = LEVELS.indexOf('warn');

export const isLevel = (name) => LEVELS.includes(name.toLowerCase());

export function setLevel(name) {
  wanted = LEVELS.indexOf(name.toLowerCase());
}

export const error = (text) => say('error', text);
export const warn = (text) => say('warn', text);
export const info = (text) => say('info', text);

function say(level, text) {
  if (LEVELS.indexOf(level) > wanted) return;
  try {
    writeSync(2, `caveman-mcp: ${text}\n`);
  } catch {
    // Where stderr is closed there is nobody to tell.
  }
}
