// The server as the official TypeScript client sees it: what a host gets, nothing of how it is made.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { binary, connect, environment, freshHome, samples } from './server.mjs'

const TOOLS = [
  'caveman_compress',
  'caveman_retrieve',
  'caveman_stats',
  'caveman_toon_decode',
  'caveman_toon_encode',
]

/** An error result with this code; gives its message. */
function assertError({ blocks, isError }, code) {
  assert.equal(isError, true, blocks.join('\n'))
  assert.equal(blocks.length, 1)
  const { error, message } = JSON.parse(blocks[0])
  assert.equal(error, code)
  assert.ok(message.length > 0)
  return message
}

test('the handshake says who answers and what a marker is for', async (t) => {
  const { client } = await connect(t)
  const { name, version } = client.getServerVersion()
  assert.equal(name, 'caveman')
  assert.match(version, /^\d+\.\d+\.\d+/)
  assert.ok(client.getServerCapabilities().tools)
  const instructions = client.getInstructions()
  assert.ok(instructions.length <= 240, `${instructions.length} characters`)
  assert.match(instructions, /caveman_retrieve/)
  await client.ping()
})

test('exactly five tools, each with a schema that the client accepts', async (t) => {
  const { client } = await connect(t)
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map((tool) => tool.name).sort(), TOOLS)
  for (const tool of tools) {
    assert.equal(tool.inputSchema.type, 'object')
    assert.equal(tool.outputSchema, undefined, 'hosts drop the text where there is one')
    assert.ok(tool.annotations.readOnlyHint || tool.annotations.destructiveHint === false)
    assert.ok(tool.description.length > 0)
  }
})

test('every sample shrinks or passes through, and comes back byte for byte', async (t) => {
  const server = await connect(t)
  let n_compressed = 0
  for (const [name, input] of samples()) {
    const answer = await server.compress(input)
    assert.equal(answer.basis, 'inferred')
    if (answer.recovery_handle === null) {
      assert.equal(answer.output, input, name)
      assert.equal(answer.ratio, 0, name)
      assert.ok(answer.reason, name)
      continue
    }
    n_compressed += 1
    assert.ok(answer.tokens_after < answer.tokens_before, name)
    assert.match(answer.recovery_handle, /^ccr_[0-9a-f]{32}$/)
    if (!answer.lossless_to_model) assert.ok(answer.output.includes(answer.recovery_handle), name)
    const { blocks, isError } = await server.call('caveman_retrieve', {
      recovery_handle: answer.recovery_handle,
    })
    assert.equal(isError, false)
    assert.ok(blocks[0] === input, `${name} came back changed`)
  }
  assert.ok(n_compressed >= 6, `${n_compressed} samples were compressed`)
})

test('a query gets the units that match, as they stand', async (t) => {
  const server = await connect(t)
  const [, input] = samples().find(([name]) => name === 'sshd.log')
  const { recovery_handle } = await server.compress(input)
  const line = input.split('\n')[137]
  const ip = line.match(/\d+\.\d+\.\d+\.\d+/)[0]
  const { blocks } = await server.call('caveman_retrieve', { recovery_handle, query: ip })
  assert.ok(blocks[0].split('\n').includes(line), blocks[0])
  assert.ok(blocks[0].length < input.length / 4, `${blocks[0].length} of ${input.length}`)
})

test('a query that matches nothing gets the whole original', async (t) => {
  const server = await connect(t)
  const [, input] = samples().find(([name]) => name === 'checkout.log')
  const { recovery_handle } = await server.compress(input)
  const { blocks } = await server.call('caveman_retrieve', { recovery_handle, query: 'zeppelin' })
  assert.ok(blocks[0] === input)
})

test('the handle resolves in every form that a model may copy', async (t) => {
  const server = await connect(t)
  const [, input] = samples().find(([name]) => name === 'orders.json')
  const { recovery_handle } = await server.compress(input)
  for (const form of [`<<ccr:${recovery_handle}>>`, `\`${recovery_handle}\`.`, recovery_handle.toUpperCase()]) {
    const { isError } = await server.call('caveman_retrieve', { recovery_handle: form })
    assert.equal(isError, false, form)
  }
})

test('a handle outlives the server that gave it', async (t) => {
  const home = freshHome(t)
  const [, input] = samples().find(([name]) => name === 'checkout.log')
  const first = await connect(t, home)
  const { recovery_handle } = await first.compress(input)
  const beside = await connect(t, home)
  await first.client.close()
  const after = await connect(t, home)
  for (const server of [beside, after]) {
    const { blocks } = await server.call('caveman_retrieve', { recovery_handle })
    assert.ok(blocks[0] === input)
  }
})

test('an ephemeral server leaves nothing behind', async (t) => {
  const home = freshHome(t)
  const server = await connect(t, home, { CAVEMAN_MCP_EPHEMERAL: '1' })
  const [, input] = samples().find(([name]) => name === 'checkout.log')
  const { recovery_handle } = await server.compress(input)
  const { blocks } = await server.call('caveman_retrieve', { recovery_handle })
  assert.ok(blocks[0] === input)
  const { readdirSync } = await import('node:fs')
  assert.deepEqual(readdirSync(home), [])
})

test('small, empty and foreign payloads pass through', async (t) => {
  const server = await connect(t)
  for (const input of ['', 'x', '{"a":1}', 'ünï漢🦴\u2028\u0000', '\r\n\r\n']) {
    const answer = await server.compress(input)
    assert.equal(answer.output, input)
    assert.equal(answer.recovery_handle, null)
    assert.equal(answer.ratio, 0)
  }
})

test('an unknown kind is detected instead, and the answer says so', async (t) => {
  const server = await connect(t)
  const [, input] = samples().find(([name]) => name === 'checkout.log')
  const answer = await server.compress(input, { content_type: 'no-such-kind' })
  assert.notEqual(answer.recovery_handle, null)
  assert.match(answer.note, /no-such-kind/)
})

test('a payload of six megabytes goes there and back', async (t) => {
  const server = await connect(t)
  const [, sample] = samples().find(([name]) => name === 'app.log')
  const input = sample.repeat(Math.ceil((6 << 20) / sample.length))
  const { recovery_handle, ratio } = await server.compress(input)
  assert.ok(ratio > 0.9, `ratio ${ratio}`)
  const { blocks } = await server.call('caveman_retrieve', { recovery_handle })
  assert.ok(blocks[0] === input)
})

test('an original longer than a client reads in one line comes back in pages', async (t) => {
  const server = await connect(t)
  const [, sample] = samples().find(([name]) => name === 'app.log')
  const input = sample.repeat(Math.ceil((11 << 20) / sample.length))
  const { recovery_handle } = await server.compress(input)
  let args = { recovery_handle }
  const pages = []
  while (args !== undefined) {
    const { blocks, isError } = await server.call('caveman_retrieve', args)
    assert.equal(isError, false, blocks[0].slice(0, 200))
    pages.push(blocks[0])
    // The note names the very call that reads on.
    const next = /the next are caveman_retrieve (\{.*\})\]$/.exec(blocks[1])
    args = next === null ? undefined : JSON.parse(next[1])
  }
  assert.ok(pages.length > 1, 'one page')
  assert.ok(pages.join('') === input)
})

test('errors name themselves, and the next call works', async (t) => {
  const server = await connect(t)
  const unknown = `ccr_${'0'.repeat(32)}`
  assert.match(
    assertError(await server.call('caveman_retrieve', { recovery_handle: unknown }), 'cave_unknown_handle'),
    /ccr_0/,
  )
  assertError(await server.call('caveman_no_such_tool'), 'cave_unknown_tool')
  assert.match(assertError(await server.call('caveman_compress'), 'cave_invalid_arguments'), /input/)
  assert.match(
    assertError(await server.call('caveman_compress', { input: 7 }), 'cave_invalid_arguments'),
    /input/,
  )
  assert.match(
    assertError(await server.call('caveman_retrieve', { query: 'x' }), 'cave_invalid_arguments'),
    /recovery_handle/,
  )
  await server.client.ping()
  await assert.rejects(server.client.listResources(), /./)
  assert.equal((await server.compress('x')).output, 'x')
})

test('stats are the totals of this process', async (t) => {
  const server = await connect(t)
  const [, input] = samples().find(([name]) => name === 'checkout.log')
  const answer = await server.compress(input)
  await server.compress('x')
  await server.call('caveman_retrieve', { recovery_handle: answer.recovery_handle })
  const stats = JSON.parse((await server.call('caveman_stats')).blocks[0])
  assert.equal(stats.basis, 'inferred')
  assert.equal(stats.scope, 'session')
  assert.equal(stats.passed_through, 1)
  assert.equal(stats.retrieves, 1)
  assert.ok(stats.tokens_before > stats.tokens_after && stats.tokens_after > 0)
  assert.equal(stats.store.entries, 1)
  assert.equal(stats.store.bytes, Buffer.byteLength(input))
  assert.equal(stats.store.state, 'ok')
})

test('TOON goes both ways', async (t) => {
  const server = await connect(t)
  const input = '[{"id":1,"name":"ada","ok":true},{"id":2,"name":"grace","ok":false}]'
  const { blocks } = await server.call('caveman_toon_encode', { input })
  assert.equal(JSON.parse(blocks[1]).encoded, true)
  assert.match(blocks[0], /\{id,name,ok\}/)
  const back = await server.call('caveman_toon_decode', { input: blocks[0] })
  assert.deepEqual(JSON.parse(back.blocks[0]), JSON.parse(input))
  const invalid = await server.call('caveman_toon_decode', { input: '[3]: 1,2' })
  assertError(invalid, 'cave_invalid_toon')
  const { line, column, declared, found } = JSON.parse(invalid.blocks[0])
  assert.deepEqual({ line, column, declared, found }, { line: 1, column: 1, declared: 3, found: 2 })
})

test('calls sent at once are answered each with its own', async (t) => {
  const server = await connect(t)
  const inputs = Array.from({ length: 40 }, (_, n) => `payload ${n}`)
  const outputs = await Promise.all(inputs.map((input) => server.compress(input)))
  assert.deepEqual(outputs.map((answer) => answer.output), inputs)
})

test('the end of input ends the process at once with status 0', async (t) => {
  const child = spawn(binary, ['serve'], { env: environment(freshHome(t)), stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
  let out = ''
  child.stdout.on('data', (bytes) => (out += bytes))
  // The last line has no line end, and is answered all the same.
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  assert.deepEqual(await ended, { code: 0, signal: null })
  assert.deepEqual(JSON.parse(out), { jsonrpc: '2.0', id: 1, result: {} })
})
