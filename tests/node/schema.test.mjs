// Every answer against the official schema of its revision: what a host would refuse, fails here.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HANDSHAKES, NEWEST, OLDEST, REVISIONS, problems } from './schemas.mjs'
import { environment, freshHome, samples, servers } from './server.mjs'

const CASES = fileURLToPath(new URL('../../core/src/mcp/cases/', import.meta.url))
const VERSION = 'io.modelcontextprotocol/protocolVersion'

const lines = (text) => text.split('\n').filter(Boolean)

/** An id that MCP knows: JSON-RPC wants null where none could be read, and echoes any number and any text. */
const hasProperId = ({ id }) => typeof id === 'string' || Number.isSafeInteger(id)

/** The revisions in which `request` may have been sent: those with a handshake, unless it names its own. */
function revisionsOf(request) {
  const named = request?.params?._meta?.[VERSION]
  if (named === undefined || request.method === 'initialize') return HANDSHAKES
  return [HANDSHAKES.includes(named) ? named : NEWEST]
}

test('the schemas refuse what is wrong', () => {
  const answer = (result) => ({ jsonrpc: '2.0', id: 1, result })
  for (const revision of REVISIONS) {
    assert.notDeepEqual(problems(revision, answer({ content: [{ type: 'text' }] }), 'tools/call'), [], revision)
    assert.notDeepEqual(problems(revision, answer({ tools: [{ name: 'x' }] }), 'tools/list'), [], revision)
    assert.notDeepEqual(problems(revision, { jsonrpc: '2.0', id: 1, error: { code: 'x' } }, 'ping'), [], revision)
  }
  assert.notDeepEqual(problems(OLDEST, answer({ protocolVersion: 7 }), 'initialize'), [])
  assert.notDeepEqual(problems(NEWEST, answer({ content: [] }), 'tools/call'), [])
})

test('every recorded answer fits the schema of every revision that it may be an answer of', () => {
  let nChecked = 0
  for (const file of readdirSync(CASES).filter((name) => name.endsWith('.out.jsonl'))) {
    const requests = new Map()
    for (const line of lines(readFileSync(CASES + file.replace('.out.', '.in.'), 'utf8'))) {
      try {
        for (const request of [JSON.parse(line)].flat()) requests.set(request.id, request)
      } catch {
        // A damaged line: its answer is an error, whatever it asked for.
      }
    }
    for (const line of lines(readFileSync(CASES + file, 'utf8'))) {
      for (const answer of [JSON.parse(line)].flat().filter(hasProperId)) {
        const request = requests.get(answer.id)
        for (const revision of revisionsOf(request)) {
          assert.deepEqual(problems(revision, answer, request?.method), [], `${revision}, ${file}: ${line.slice(0, 200)}`)
          nChecked += 1
        }
      }
    }
  }
  assert.ok(nChecked > 300, `only ${nChecked} answers checked`)
})

for (const server of servers()) {
  for (const revision of REVISIONS) {
    test(`a conversation in ${revision} with ${server.name} fits its schema`, (t) => {
      const [, log] = samples().find(([name]) => name === 'checkout.log')
      const meta = revision === NEWEST ? { _meta: { [VERSION]: revision, 'io.modelcontextprotocol/clientCapabilities': {} } } : {}
      const call = (name, args) => ['tools/call', { name, arguments: args }]
      const requests = [
        revision === NEWEST ? ['server/discover', {}] : ['initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'suite', version: '1' } }],
        ['tools/list', {}],
        ['tools/list', { cursor: 'x' }],
        ['ping', {}],
        ['no/such/method', {}],
        call('caveman_compress', { input: log }),
        call('caveman_compress', { input: 'short' }),
        call('caveman_compress', { input: 'short', content_type: 'no-such-kind' }),
        call('caveman_compress', { input: 7 }),
        call('caveman_compress', {}),
        call('caveman_retrieve', { recovery_handle: `ccr_${'0'.repeat(32)}` }),
        call('caveman_stats', {}),
        call('caveman_toon_encode', { input: '[{"a":1},{"a":2}]' }),
        call('caveman_toon_encode', { input: 'no JSON' }),
        call('caveman_toon_decode', { input: '[2]{a}:\n  1\n  2' }),
        call('caveman_toon_decode', { input: '[3]: 1' }),
        call('caveman_no_such_tool', {}),
        ['tools/call', { arguments: {} }],
      ].map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } }))
      const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
      const { stdout, status } = spawnSync(server.command, server.args, { input, env: environment(freshHome(t)), encoding: 'utf8', timeout: 60_000 })
      assert.equal(status, 0)
      const answers = lines(stdout).map((line) => JSON.parse(line))
      assert.deepEqual(answers.map(({ id }) => id), requests.map(({ id }) => id))
      for (const answer of answers) {
        assert.deepEqual(problems(revision, answer, requests[answer.id].method), [], JSON.stringify(answer).slice(0, 300))
      }
      if (revision !== NEWEST) assert.equal(answers[0].result.protocolVersion, revision)
      assert.equal(answers.filter(({ error }) => error !== undefined).length, revision === NEWEST ? 4 : 3)
    })
  }
}
