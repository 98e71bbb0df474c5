// The playground as a visitor has it: in a browser, under a strict policy, with nothing outside its own origin to ask.
import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { browserPath, open, servePlayground, startBrowser } from './browser.mjs'
import { samples } from './server.mjs'

const SCREENSHOT = fileURLToPath(new URL('../../docs/playground.png', import.meta.url))
const MAX_SCREENSHOT_BYTES = 200 * 1024
/** Rows in the document, whatever the length of a text. */
const MAX_ROWS_DRAWN = 300

assert.ok(browserPath, 'there is no Chromium: run scripts/setup')
const axe = readFileSync(fileURLToPath(new URL('node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')
const sample = (name) => samples().find(([found]) => found === name)[1]

let site
let browser
before(async () => {
  site = await servePlayground()
  browser = await startBrowser()
})
after(async () => {
  await browser?.close()
  site?.close()
})

/** The page with these options in its link, its first answer on the screen. */
async function visit(t, fragment = '', options) {
  const opened = await open(browser, `${site.origin}/${fragment}`, options)
  t.after(async () => {
    await opened.context.close()
    assert.deepEqual(opened.complaints, [])
    // A blob or data address would be within the origin too, but there is no need for any.
    assert.deepEqual(opened.requests.filter((url) => !url.startsWith(`${site.origin}/`)), [])
  })
  await settled(opened.page)
  return opened.page
}

const settled = (page, pattern = /tokens? *$|passed through|Paste, drop/) =>
  page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#counts').textContent), pattern.source)

const textOf = (page, selector) => page.locator(selector).innerText()

/** Pastes as a visitor does: through the clipboard, by keyboard. */
async function paste(page, text) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((text) => navigator.clipboard.writeText(text), text)
  await page.keyboard.press('Control+V')
}

test('a sample shrinks, and the figures are those of the command line', async (t) => {
  const page = await visit(t, '#sample=checkout.log')
  assert.equal(await textOf(page, '#counts'), '12,012 → 529 tokens')
  assert.match(await textOf(page, '#saved'), /^96 %/)
  assert.match(await textOf(page, '#facts'), /log detected/)
  assert.match(await textOf(page, '#after-view'), /\[caveman: 208 lines elided: 4-211;/)
})

test('what is pasted takes the place of what was there', async (t) => {
  const page = await visit(t)
  await page.locator('#before-view').focus()
  await paste(page, 'INFO  all is well, nothing to see here in this one line\n'.repeat(300))
  await page.waitForFunction(() => document.querySelector('#before-size').textContent.startsWith('300 lines'))
  await settled(page)
  assert.match(await textOf(page, '#after-view'), /caveman/)
  assert.equal(await page.locator('#sample').inputValue(), '')
})

test('typed text is compressed as it is typed', async (t) => {
  const page = await visit(t)
  await page.click('#clear')
  await settled(page, /Paste, drop/)
  await page.locator('#editor').pressSequentially('{"a": 1}')
  await settled(page, /passed through/)
  assert.match(await textOf(page, '#facts'), /json detected/)
  await paste(page, ' and more')
  await page.waitForFunction(() => document.querySelector('#editor').value === '{"a": 1} and more')
})

test('a file that is dropped is read as bytes', async (t) => {
  const page = await visit(t)
  const drop = (name, bytes) =>
    page.evaluate(([name, bytes]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name))
      for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }, [name, [...bytes]])
  await drop('orders.json', Buffer.from(sample('orders.json')))
  await settled(page, /^8,560 →/)
  assert.match(await textOf(page, '#facts'), /json detected/)
  assert.equal(await page.locator('#drop').isHidden(), true)
  await drop('binary', [255, 0, 254])
  await settled(page, /it is not text/)
})

test('a marker shows what it stands for, to the mouse and to the keyboard', async (t) => {
  const page = await visit(t, '#sample=checkout.log')
  const lines = sample('checkout.log').split('\n')
  const marker = page.locator('#after-view button.marker').first()
  await marker.hover()
  assert.match(await textOf(page, '#peek'), new RegExp(lines[3]))
  await marker.click()
  await page.waitForFunction(() => document.querySelector('#found-note').textContent.includes('208 lines left out'))
  assert.ok((await textOf(page, '#found-view')).includes(lines[3]))
  assert.ok((await page.locator('#before-view .gone.active').count()) > 0)
  // The list of markers reaches those that are not in sight.
  await page.locator('#markers button').nth(1).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('#found-note').textContent.includes('50 lines left out'))
  assert.ok((await textOf(page, '#found-view')).includes(lines[212]))
  assert.equal((await textOf(page, '#found-view .number >> nth=0')).trim(), '213')
  // Drawn above those in sight: brought into sight it would be drawn anew under the mouse.
  await page.locator('#before-view .gone').first().dispatchEvent('click')
  await page.waitForFunction(() => document.querySelector('#found-note').textContent.includes('208 lines left out'))
})

test('what was left out comes back, whole and by words', async (t) => {
  const page = await visit(t, '#sample=sshd.log')
  await page.click('#query-form button')
  await page.waitForFunction(() => /original, byte for byte/.test(document.querySelector('#found-note').textContent))
  const line = sample('sshd.log').split('\n')[137]
  await page.fill('#query', line.match(/\d+\.\d+\.\d+\.\d+/)[0])
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => /matching unit/.test(document.querySelector('#found-note').textContent))
  assert.ok((await textOf(page, '#found-view')).replaceAll('\n', '').includes(line.slice(-30)))
  await page.fill('#query', 'zeppelin')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => /whole original/.test(document.querySelector('#found-note').textContent))
})

test('TOON goes both ways', async (t) => {
  const page = await visit(t, '#sample=orders.json')
  await page.click('#tab-toon')
  await page.waitForFunction(() => /→/.test(document.querySelector('#toon-note').textContent))
  assert.match(await textOf(page, '#toon-view'), /^\s*1?\s*\[60\]\{id,created_at/)
  await page.click('#toon-decode')
  await page.waitForFunction(() => /^Not TOON/.test(document.querySelector('#toon-note').textContent))
  await page.click('#clear')
  await page.fill('#editor', 'a: 1\nb[2]: x,y')
  await page.waitForFunction(() => document.querySelector('#toon-view').textContent.includes('{"a":1,"b":["x","y"]}'))
  // The tabs answer to the arrow keys.
  await page.locator('#tab-toon').focus()
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.locator('#tab-output').getAttribute('aria-selected'), 'true')
})

test('a link carries the options, and never a payload', async (t) => {
  const page = await visit(t, '#sample=checkout.log&kind=text&keep=order%3D40150&budget=300&tab=toon&toon=decode&theme=dark')
  assert.deepEqual(
    await page.evaluate(() => ['sample', 'kind', 'keep', 'budget'].map((id) => document.getElementById(id).value).concat(document.documentElement.dataset.theme)),
    ['checkout.log', 'text', 'order=40150', '300', 'dark'],
  )
  assert.equal(await page.locator('#toon-decode').getAttribute('aria-pressed'), 'true')
  await page.click('#tab-output')
  await page.selectOption('#kind', 'log')
  await page.waitForFunction(() => document.querySelector('#facts').textContent.includes('log forced'))
  assert.ok((await textOf(page, '#after-view')).includes('order=40150'), 'the words are kept')
  assert.equal(new URL(page.url()).hash, '#sample=checkout.log&kind=log&keep=order%3D40150&budget=300&toon=decode&theme=dark')
  await paste(page, 'a secret')
  await settled(page, /passed through/)
  assert.ok(!page.url().includes('sample') && !page.url().includes('secret'), page.url())
  await page.goto(`${site.origin}/#sample=..%2Fnothing&kind=%3Cb%3E&budget=-1&theme=pink`)
  await page.reload()
  await settled(page)
  assert.equal(await page.locator('#sample').inputValue(), 'checkout.log')
})

test('two megabytes are no burden to the page: the work is in the worker, the rows in sight are drawn', async (t) => {
  // The page's own thread cannot compile a module: whatever is compressed is compressed elsewhere.
  const page = await visit(t)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => {
    for (const name of ['Module', 'Instance', 'compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
      WebAssembly[name] = () => {
        throw new Error('wasm on the page’s own thread')
      }
    }
  })
  assert.equal(page.workers().length, 1)
  const log = sample('checkout.log')
  const texts = {
    'a log': log.repeat(Math.ceil((2 << 20) / log.length)),
    'one line of JSON': JSON.stringify(Array.from({ length: 26_000 }, (_, id) => ({ id, name: `name ${(id * 7919) % 9973}`, note: 'ünï漢🦴', total: (id * 31) % 977, open: id % 3 === 0 }))),
    'prose that passes through': Array.from({ length: 42_000 }, (_, n) => `${(n * 2654435761) >>> 0} words that no other line has, ${Math.sin(n)}\n`).join(''),
  }
  for (const [name, text] of Object.entries(texts)) {
    await page.locator('#before-view, #editor').and(page.locator(':visible')).focus()
    await page.evaluate((text) => navigator.clipboard.writeText(text), text)
    await page.evaluate(() => {
      window.longest = 0
      document.querySelector('#counts').textContent = ''
    })
    await page.keyboard.press('Control+V')
    await settled(page)
    assert.ok((await page.locator('#before-size').innerText()).includes('MiB'), name)
    for (const view of ['before', 'after']) {
      await page.locator(`#${view}-view`).evaluate((element) => (element.scrollTop = element.scrollHeight / 2))
      const rows = await page.locator(`#${view}-view .row`).count()
      assert.ok(rows > 0 && rows < MAX_ROWS_DRAWN, `${name}: ${rows} rows`)
    }
    t.diagnostic(`${name}, ${(text.length / (1 << 20)).toFixed(1)} Mi characters: the longest task of the page took ${await page.evaluate(() => window.longest)} ms (0: none over 50 ms)`)
  }
})

for (const [name, options, fragment] of [
  ['light', { colorScheme: 'light' }, '#sample=checkout.log'],
  ['dark', { colorScheme: 'dark' }, '#sample=orders.json'],
  ['dark, TOON', { colorScheme: 'dark' }, '#sample=orders.json&tab=toon'],
  ['light, TOON that is none', { colorScheme: 'light' }, '#sample=grep.txt&tab=toon'],
  ['narrow', { colorScheme: 'light', viewport: { width: 390, height: 800 } }, '#sample=sshd.log'],
]) {
  test(`axe finds nothing to complain of (${name})`, async (t) => {
    const page = await visit(t, fragment, options)
    const scan = async () => {
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }))
      assert.deepEqual(violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html}: ${failureSummary}`)]), [])
    }
    await scan()
    if (fragment.includes('tab=')) return
    await page.locator('#markers button').first().click()
    await page.waitForFunction(() => document.querySelector('#found-note').textContent.includes('left out'))
    await scan()
    await page.click('#clear')
    await settled(page, /Paste, drop/)
    await scan()
  })
}

test('the kinds that can be chosen are those that the core knows', async (t) => {
  const page = await visit(t)
  const offered = await page.evaluate(() => [...document.querySelectorAll('#kind option')].map(({ value }) => value).filter(Boolean))
  const known = await page.evaluate(async () => {
    const { load } = await import('./core/index.mjs')
    const core = await load()
    try {
      core.compress('x', { contentType: 'nonsense' })
    } catch (error) {
      return error.message.split('the types are ')[1].split(', ')
    }
  })
  assert.deepEqual(offered.sort(), known.sort())
})

test('the screenshot of the README is one of this page', async (t) => {
  const page = await visit(t, '#sample=checkout.log', { colorScheme: 'dark', viewport: { width: 1200, height: 720 } })
  await page.locator('#markers button').nth(1).click()
  await page.waitForFunction(() => document.querySelector('#found-note').textContent.includes('50 lines left out'))
  await page.mouse.move(0, 0)
  const shot = await page.screenshot({ animations: 'disabled' })
  // Fonts differ from machine to machine, so that pixels are not compared.
  if (process.env.UPDATE_CASES) writeFileSync(SCREENSHOT, shot)
  assert.ok(statSync(SCREENSHOT).size <= MAX_SCREENSHOT_BYTES, 'the screenshot is too large')
  const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)]
  assert.deepEqual(size(readFileSync(SCREENSHOT)), size(shot))
})
