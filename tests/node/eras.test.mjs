// Every official client, in every way it may open a conversation, against both forms of the server: the oldest revision by
// the client of its time, a handshake, and the requests of the newest revision that need none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Client as OldClient } from 'sdk-of-2024-11-05/client/index.js'
import { StdioClientTransport as OldTransport } from 'sdk-of-2024-11-05/client/stdio.js'
import { CallToolResultSchema } from 'sdk-of-2024-11-05/types.js'
import { environment, freshHome, samples, servers } from './server.mjs'

const WHO = { name: 'caveman-tests', version: '1' }
const [NEWEST, LAST_HANDSHAKE] = ['2026-07-28', '2025-11-25']

const v2 = (versionNegotiation, negotiated) => ({
  transport: NewTransport,
  client: () => new NewClient(WHO, { capabilities: {}, ...(versionNegotiation && { versionNegotiation }) }),
  negotiated,
})

/** The official clients by their version and how they open. */
const CLIENTS = {
  'the TypeScript SDK 1.0': { transport: OldTransport, client: () => new OldClient(WHO, { capabilities: {} }) },
  'the TypeScript SDK 1': { transport: StdioClientTransport, client: () => new Client(WHO, { capabilities: {} }) },
  'the TypeScript SDK 2': v2(undefined, LAST_HANDSHAKE),
  'the TypeScript SDK 2, by handshake': v2({ mode: 'legacy' }, LAST_HANDSHAKE),
  'the TypeScript SDK 2, which asks first': v2({ mode: 'auto' }, NEWEST),
  'the TypeScript SDK 2, without a handshake': v2({ mode: { pin: NEWEST } }, NEWEST),
}

for (const server of servers()) {
  for (const [name, { transport: Transport, client: make, negotiated }] of Object.entries(CLIENTS)) {
    test(`${name} and ${server.name}`, async (t) => {
      const client = make()
      const problems = []
      client.onerror = (error) => problems.push(error.message)
      await client.connect(new Transport({ command: server.command, args: server.args, env: environment(freshHome(t)) }))
      t.after(() => client.close())
      if (negotiated !== undefined) assert.equal(client.getNegotiatedProtocolVersion(), negotiated)
      assert.equal(client.getServerVersion().name, 'caveman')
      const call = async (tool, args) => {
        const result = await client.callTool({ name: tool, arguments: args }, make === CLIENTS['the TypeScript SDK 1.0'].client ? CallToolResultSchema : undefined)
        return { texts: result.content.map(({ text }) => text), isError: result.isError ?? false }
      }

      const { tools } = await client.listTools()
      assert.equal(tools.length, 5)
      const [, input] = samples().find(([sample]) => sample === 'checkout.log')
      const { texts } = await call('caveman_compress', { input })
      const { recovery_handle } = JSON.parse(texts[1])
      assert.ok(texts[0].length < input.length / 2 && texts[0].includes(recovery_handle))
      assert.ok((await call('caveman_retrieve', { recovery_handle })).texts[0] === input)
      const unknown = await call('caveman_retrieve', { recovery_handle: `ccr_${'0'.repeat(32)}` })
      assert.deepEqual([unknown.isError, JSON.parse(unknown.texts[0]).error], [true, 'cave_unknown_handle'])
      const missing = await call('caveman_compress', {})
      assert.deepEqual([missing.isError, JSON.parse(missing.texts[0]).error], [true, 'cave_invalid_arguments'])
      const many = await Promise.all(Array.from({ length: 20 }, (_, n) => call('caveman_compress', { input: `payload ${n}` })))
      assert.deepEqual(many.map((answer) => answer.texts[0]), many.map((_, n) => `payload ${n}`))
      // Too long a line is an error of that call, at once, wherever the client writes its id.
      const tooLong = call('caveman_compress', { input: 'x'.repeat(17 << 20) })
      await assert.rejects(tooLong, /cave_payload_too_large/)
      assert.equal((await call('caveman_compress', { input: 'x' })).texts[0], 'x')
      assert.deepEqual(problems, [])
    })
  }
}
