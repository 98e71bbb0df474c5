// The official Python client, in every way it may open a conversation, against both forms of the server.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { environment, freshHome, servers } from './server.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'tests/python')
const python = join(folder, '.venv/bin/python')
const skip = existsSync(python) ? false : 'there is no Python client: scripts/setup makes one where it finds Python 3.11 with venv'

for (const server of servers()) {
  test(`the Python SDK and ${server.name}`, { skip }, (t) => {
    const args = [join(folder, 'conversation.py'), join(root, 'tests/samples/checkout.log'), server.command, ...server.args]
    const { status, stdout, stderr } = spawnSync(python, args, { env: environment(freshHome(t)), encoding: 'utf8', timeout: 200_000 })
    assert.equal(status, 0, `${stdout}${stderr}`)
    assert.equal(stdout, 'legacy: 2025-11-25\nauto: 2026-07-28\n2026-07-28: 2026-07-28\n')
  })
}
