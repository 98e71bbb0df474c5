// Every recorded answer of the server against the schemas of the official SDK: what a host would refuse, fails here.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCMessageSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js'

const CASES = fileURLToPath(new URL('../../core/src/mcp/cases/', import.meta.url))

/** The schema of a result, told from its members; the SDK has none for the discovery of the newest revision. */
function schemaOf(result) {
  if ('protocolVersion' in result) return InitializeResultSchema
  if ('tools' in result) return ListToolsResultSchema
  if ('content' in result) return CallToolResultSchema
  return 'supportedVersions' in result ? undefined : EmptyResultSchema
}

test('every recorded answer fits the schemas', () => {
  let nChecked = 0
  for (const file of readdirSync(CASES).filter((name) => name.endsWith('.out.jsonl'))) {
    for (const line of readFileSync(CASES + file, 'utf8').split('\n').filter(Boolean)) {
      for (const answer of [JSON.parse(line)].flat()) {
        // JSON-RPC wants id null where no id could be read, and echoes any number; MCP knows neither.
        if (answer.id === null || !['string', 'number'].includes(typeof answer.id)) continue
        if (typeof answer.id === 'number' && !Number.isSafeInteger(answer.id)) continue
        const where = `${file}: ${line.slice(0, 200)}`
        assert.deepEqual(JSONRPCMessageSchema.safeParse(answer).error?.issues, undefined, where)
        if (answer.result) {
          const schema = schemaOf(answer.result)
          assert.deepEqual(schema?.safeParse(answer.result).error?.issues, undefined, where)
        }
        nChecked += 1
      }
    }
  }
  assert.ok(nChecked > 100, `only ${nChecked} answers checked`)
})
