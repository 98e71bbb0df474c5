// The official conformance scenarios, through a bridge to HTTP, which is all that they speak. What a server of nothing but
// five text tools on stdin and stdout cannot pass stands in `conformance/`, check by check, with the reason; a check that
// fails without standing there fails here, and so does one that stands there and passes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bridge } from './bridge.mjs'
import { environment, freshHome, servers } from './server.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const program = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** A Node.js that can run them: they need 22. */
const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : join(here, 'node_modules/node22/bin/node')
const skip = existsSync(node) ? false : 'the scenarios need Node.js 22 or newer, and there is none here'

/** Which scenarios: all that a revision requires where that was frozen, else all that there are for it. */
const RUNS = {
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2026-07-28': ['--requirements', '2026-07-28'],
}
/** Checks that pass, at least: an empty run is no success. */
const LEAST_PASSED = { '2025-06-18': 30, '2025-11-25': 38, '2026-07-28': 80 }

for (const server of servers()) {
  for (const [revision, which] of Object.entries(RUNS)) {
    test(`${server.name} conforms to ${revision}`, { skip }, async (t) => {
      const home = freshHome(t)
      const { url, close } = await bridge(server, environment(home))
      t.after(close)
      const said = await run(t, ['server', '--url', url, ...which, '--expected-failures', join(here, `conformance/${revision}.yml`), '--output-dir', join(home, 'results')], home)
      const passed = /Total: (\d+) passed/.exec(said.out)?.[1]
      assert.equal(said.code, 0, said.out.slice(said.out.indexOf('=== SUMMARY')))
      assert.ok(passed >= LEAST_PASSED[revision], `${passed} passed`)
      t.diagnostic(`${passed} checks passed`)
    })
  }
}

function run(t, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [program, ...args], { cwd, env: environment(cwd), stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => child.kill())
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (out += bytes))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out }))
  })
}
