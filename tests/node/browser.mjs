// The playground, served as a file server would with a strict policy, in a headless Chromium.
import { createServer } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { chromium } from 'playwright-core'
import { build } from '../../wasm/playground/build.mjs'

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const TYPES = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium, where a system has it. */
export const browserPath = [process.env.CAVEMAN_TEST_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path && existsSync(path))

/** Serves the built page; `close` ends it and takes the files away. */
export async function servePlayground() {
  const folder = build(mkdtempSync(join(tmpdir(), 'caveman-page-')))
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://page').pathname)
    const file = join(folder, path === '/' ? 'index.html' : path)
    response.setHeader('Content-Security-Policy', POLICY)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (!existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain; charset=utf-8' }).end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const startBrowser = () => chromium.launch({ executablePath: browserPath, args: FLAGS })

/** A page in a fresh profile; `complaints` are what its console and its policy said, `requests` where it asked. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints = []
  const requests = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  context.on('request', (request) => requests.push(request.url()))
  await page.addInitScript(() => {
    window.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ type: 'longtask', buffered: true })
    addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))
  })
  await page.goto(url)
  return { page, context, complaints, requests }
}
