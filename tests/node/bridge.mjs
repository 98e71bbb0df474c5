// A stdio server behind Streamable HTTP on the loopback interface, for suites that speak nothing else. It adds no protocol
// of its own but the statuses that the HTTP binding demands: what it answers is what the server said.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

/** Errors of a request that its HTTP answer shows in its status too. */
const STATUS_OF = { [-32600]: 400, [-32602]: 400, [-32022]: 400, [-32601]: 404 }

/** Serves until `close`; every session has a server process of its own, and the requests without one share another. */
export async function bridge({ command, args }, env) {
  const sessions = new Map()
  const shared = new Child(command, args, env)
  const answer = async (request, id) => {
    if (request.method === 'DELETE') return { status: drop(sessions, id) ? 200 : 404 }
    if (request.method !== 'POST') return { status: 405 }
    let message
    try {
      message = JSON.parse(await text(request))
    } catch {
      return { status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'not JSON' } } }
    }
    if (message.method === 'initialize') {
      const [session, child] = [randomUUID(), new Child(command, args, env)]
      sessions.set(session, child)
      return { status: 200, body: await child.ask(message), session }
    }
    const child = id === undefined ? shared : sessions.get(id)
    if (child === undefined) return { status: 404, body: { jsonrpc: '2.0', id: message.id ?? null, error: { code: -32001, message: 'no such session' } } }
    const body = await child.ask(message)
    if (body === undefined) return { status: 202 }
    // In a session the answer is delivered; without one its status says what became of it.
    return { status: (id === undefined && STATUS_OF[body.error?.code]) || 200, body }
  }
  const server = createServer(async (request, response) => {
    const { status, body, session } = await answer(request, request.headers['mcp-session-id'])
    const headers = { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session }) }
    response.writeHead(status, headers).end(body && JSON.stringify(body))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
      for (const child of [shared, ...sessions.values()]) child.end()
    },
  }
}

function drop(sessions, id) {
  sessions.get(id)?.end()
  return sessions.delete(id)
}

async function text(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A server process. Its requests get ids of their own, because those of its clients may be equal. */
class Child {
  #process
  #waiting = new Map()
  #sent = 0

  constructor(command, args, env) {
    this.#process = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#process.stdin.on('error', () => {})
    createInterface({ input: this.#process.stdout }).on('line', (line) => {
      const reply = JSON.parse(line)
      const waiting = this.#waiting.get(reply.id)
      if (waiting === undefined) throw new Error(`nobody asked for ${line.slice(0, 200)}`)
      this.#waiting.delete(reply.id)
      waiting.resolve({ ...reply, id: waiting.id })
    })
  }

  /** The reply; undefined, at once, to what wants none. */
  ask(message) {
    const wantsReply = message.id !== undefined && message.method !== undefined
    const id = wantsReply ? ++this.#sent : message.id
    const reply = wantsReply ? new Promise((resolve) => this.#waiting.set(id, { id: message.id, resolve })) : undefined
    this.#process.stdin.write(`${JSON.stringify({ ...message, id })}\n`)
    return reply
  }

  end() {
    this.#process.stdin.end()
  }
}
