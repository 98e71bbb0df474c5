// The tables of tests/conversations (how to read them stands in tests/stdio/conversations.rs, which asks the native binary)
// asked of the wasm core.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { environment, freshHome, servers } from './server.mjs'

const [, wasm] = servers()
const HANDSHAKE = [
  { jsonrpc: '2.0', id: 'handshake', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]
const ALIVE = '{"jsonrpc":"2.0","id":"alive","method":"ping"}'
const PIECE_BYTES = 1 << 20

for (const table of ['hostile', 'revisions']) {
  const cases = JSON.parse(readFileSync(new URL(`../conversations/${table}.json`, import.meta.url), 'utf8'))
  for (const { name, how, send, wanted, same } of cases) {
    // There is no tool that panics; npm/tests/fallback.test.mjs makes the core trap.
    if (how === 'panics') continue
    test(`${table}: ${name}`, async (t) => {
      const child = spawn(wasm.command, wasm.args, { env: environment(freshHome(t)), stdio: ['pipe', 'pipe', 'inherit'] })
      t.after(() => child.kill())
      child.stdin.on('error', () => {})
      const ended = once(child, 'exit')
      if (how === 'hangs up') {
        child.stdout.destroy()
        const asking = setInterval(() => child.stdin.write(`${ALIVE}\n`), 10)
        assert.deepEqual(await ended, [0, null])
        clearInterval(asking)
        return
      }
      const lines = []
      const read = (async () => {
        for await (const line of createInterface({ input: child.stdout })) {
          if (line === '{"jsonrpc":"2.0","id":"alive","result":{}}') child.stdin.end()
          else lines.push(line)
        }
      })()
      const conversation = [...(how === 'opens' ? [] : HANDSHAKE), ...send]
      for (const [at, line] of conversation.entries()) {
        for (const piece of piecesOf(line)) if (!child.stdin.write(piece)) await once(child.stdin, 'drain')
        if (how !== 'ends' || at + 1 < conversation.length) child.stdin.write('\n')
      }
      if (how === 'ends') child.stdin.end()
      else child.stdin.write(`${ALIVE}\n`)
      await read
      assert.deepEqual(await ended, [0, null])
      if (how !== 'opens') assert.equal(JSON.parse(lines.shift()).id, 'handshake')

      const shown = lines.map((line) => line.slice(0, 400)).join('\n')
      const replies = lines.map((line) => JSON.parse(line))
      assert.equal(replies.length, wanted.length, shown)
      for (const [at, { says, ...members }] of wanted.entries()) {
        if (says !== undefined) assert.ok(lines[at].includes(says), shown)
        assert.ok(fits(Array.isArray(wanted[at]) ? wanted[at] : members, replies[at]), shown)
      }
      if (same !== undefined) {
        const found = replies.map((reply) => same.reduce((value, step) => value?.[step], reply)).filter((value) => value !== undefined)
        for (const other of found) assert.deepEqual(other, found[0])
        assert.ok(found.length > 0, shown)
      }
    })
  }
}

/** The bytes of a line, without its line end. */
function* piecesOf(line) {
  if (typeof line === 'string') return yield line
  if (!Array.isArray(line)) return yield JSON.stringify(line)
  for (const part of line) {
    if (typeof part === 'string') yield part
    else if (part.bytes !== undefined) yield Buffer.from(part.bytes)
    else for (let left = part.times; left > 0; left -= PIECE_BYTES) yield part.repeat.repeat(Math.min(left, PIECE_BYTES))
  }
}

/** Whether `found` has what `wanted` names. */
function fits(wanted, found) {
  if (Array.isArray(wanted)) return Array.isArray(found) && wanted.length === found.length && wanted.every((member, at) => fits(member, found[at]))
  if (wanted === null || typeof wanted !== 'object') return wanted === found
  return Object.entries(wanted).every(([key, member]) => {
    const isThere = found !== null && typeof found === 'object' && key in found
    if (member?.absent) return !isThere
    return isThere && (member?.present || fits(member, found[key]))
  })
}
