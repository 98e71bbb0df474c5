// What the environment asks for: the same variables, defaults and complaints as the native binary's.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isLevel } from './log.mjs';

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const DEFAULT_RETENTION_DAYS = 30;
const MAX_RETENTION_DAYS = 36_500;

/** The settings, with the default in place of each bad value, and a sentence for each bad value. */
export function readSettings(env = process.env) {
  const bad = [];
  // An empty value counts as none.
  const value = (name) => env[name] || undefined;
  const parsed = (name, wanted, parse, fallback) => {
    const text = value(name);
    if (text === undefined) return fallback;
    const result = parse(text);
    if (result !== undefined) return result;
    bad.push(`${name} is ${JSON.stringify(text)}: give ${wanted}`);
    return fallback;
  };
  const count = (max) => (text) => {
    const number = /^\+?\d{1,16}$/.test(text) ? Number(text) : NaN;
    return number <= max ? number : undefined;
  };
  const yesOrNo = { 1: true, true: true, 0: false, false: false };
  const settings = {
    maxBytes: parsed('CAVEMAN_CCR_MAX_BYTES', 'a number of bytes, 0 for no limit', count(Number.MAX_SAFE_INTEGER), DEFAULT_MAX_BYTES),
    retentionDays: parsed('CAVEMAN_CCR_RETENTION_DAYS', 'a number of days up to 36500, 0 for never', count(MAX_RETENTION_DAYS), DEFAULT_RETENTION_DAYS),
    isEphemeral: parsed('CAVEMAN_MCP_EPHEMERAL', '1 or 0', (text) => yesOrNo[text], false),
    tools: value('CAVEMAN_MCP_TOOLS'),
    log: parsed('CAVEMAN_LOG', 'off, error, warn, info or debug', (text) => (isLevel(text) ? text : undefined), 'warn'),
    recoveryDb: value('CAVEMAN_CCR_DB') ?? recoveryDbAtHome(value('CAVEMAN_HOME')),
  };
  return { settings, bad };
}

function recoveryDbAtHome(home) {
  if (home !== undefined) return join(home, 'ccr.db');
  const user = homedir();
  return user ? join(user, '.caveman', 'ccr.db') : undefined;
}
