// What servers are asked: texts of every kind, and a session made of them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The committed samples, two cases of each compressor, and the corpus beside the repository where it is there: name and text. */
export function payloads() {
  const found = [];
  const take = (folder, names) => names.forEach((name) => found.push([name, readFileSync(join(folder, name), 'utf8')]));
  const listed = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);
  take(join(ROOT, 'tests/samples'), listed(join(ROOT, 'tests/samples')));
  const compressors = join(ROOT, 'core/src/compress');
  for (const kind of listed(compressors)) {
    const cases = join(compressors, kind, 'cases');
    take(cases, listed(cases).filter((name) => name.includes('.in.')).slice(0, 2));
  }
  const corpus = join(ROOT, '../shared/corpus');
  take(corpus, listed(corpus).filter((name) => !name.endsWith('.facts.json')));
  return found;
}

export const INITIALIZE = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'suite', version: '1' } } });

export const callLine = (id, tool, args) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `caveman_${tool}`, arguments: args } });

/** A whole session, line by line: every payload there and back, `handleOf` each, in TOON, and mistakes of a client. */
export function session(handleOf) {
  const lines = [INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","id":"list","method":"tools/list"}'];
  let id = 0;
  const call = (tool, args) => lines.push(callLine(++id, tool, args));
  for (const [, text] of payloads()) {
    call('compress', { input: text });
    const handle = handleOf(text);
    call('retrieve', { recovery_handle: handle });
    for (const query of ['error', 'failed declined', text.slice(text.length / 2, text.length / 2 + 12)]) call('retrieve', { recovery_handle: handle, query });
    call('toon_encode', { input: text });
    call('toon_decode', { input: text });
  }
  lines.push('{', '[]', '{"jsonrpc":"2.0","id":1e3,"method":"nope"}', callLine('x', 'nope', {}), callLine('y', 'retrieve', { recovery_handle: 'ccr_00000000000000000000000000000000' }));
  return lines;
}
