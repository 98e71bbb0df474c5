// The servers under test, each with a home of its own, and the official client that most suites speak through.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../npm/scripts/build.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target')

/** The binary under test: `CAVEMAN_TEST_BIN`, else the debug build. */
export const binary = process.env.CAVEMAN_TEST_BIN ?? join(target, 'debug', 'caveman-mcp')
if (!existsSync(binary)) throw new Error(`no binary at ${binary}: cargo build -p caveman-native`)

/** Both forms of the server: a name, and how it is started. The second is the npm package without a native binary. */
export function servers() {
  const out = mkdtempSync(join(tmpdir(), 'caveman-npm-'))
  process.on('exit', () => rmSync(out, { recursive: true, force: true }))
  const [fallback] = build({ out })
  return [
    { name: 'the native binary', command: binary, args: ['serve'] },
    { name: 'the wasm core', command: process.execPath, args: [join(fallback, 'bin/caveman-mcp.mjs'), 'serve'] },
  ]
}

/** A fresh home, removed when the test ends. */
export function freshHome(t) {
  const home = mkdtempSync(join(tmpdir(), 'caveman-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** The environment of a server: nothing of the developer's own. */
export function environment(home, more = {}) {
  return { PATH: process.env.PATH, HOME: home, ...more }
}

/** A connected client, closed when the test ends. `stderr()` is what the server has logged. */
export async function connect(t, home = freshHome(t), more = {}) {
  const transport = new StdioClientTransport({
    command: binary,
    args: ['serve'],
    env: environment(home, more),
    stderr: 'pipe',
  })
  let logged = ''
  transport.stderr.on('data', (bytes) => (logged += bytes))
  const client = new Client({ name: 'caveman-tests', version: '1' }, { capabilities: {} })
  await client.connect(transport)
  t.after(() => client.close())
  return {
    client,
    transport,
    stderr: () => logged,
    /** Calls a tool: the texts of its blocks, and whether it is an error. */
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args })
      return {
        blocks: result.content.map((block) => block.text),
        isError: result.isError ?? false,
        result,
      }
    },
    /** Compresses: the output and its metadata. */
    async compress(input, more = {}) {
      const { blocks, isError } = await this.call('caveman_compress', { input, ...more })
      if (isError) throw new Error(blocks.join('\n'))
      return { output: blocks[0], ...JSON.parse(blocks[1]) }
    },
  }
}

/** The committed samples: name and text. */
export function samples() {
  const folder = join(root, 'tests', 'samples')
  return readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')])
}
