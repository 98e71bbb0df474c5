// How the playground cuts texts into rows and finds in them what the core names in bytes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inUnits, layout, rowOf } from '../../wasm/playground/layout.mjs'
import { format, parse } from '../../wasm/playground/link.mjs'
import { samples } from './server.mjs'

const TEXTS = ['', '\n', 'a', 'a\n', '\n\na', 'a\r\nb\r\n', 'x'.repeat(1000), '🦴'.repeat(100), 'one two '.repeat(90), '\t\tx\t'.repeat(50), 'ünï漢🦴, e\u0301 \u{1F9B4}\n'.repeat(40), ...samples().map(([, text]) => text)]

test('rows cover a text, one after the other, and no character is broken', () => {
  for (const text of TEXTS) {
    for (const columns of [17, 18, 80]) {
      const { starts, numbers, lines } = layout(text, columns)
      const ends = [...starts.slice(1), text.length]
      const rows = Array.from(starts, (start, row) => text.slice(start, ends[row]))
      assert.equal(rows.join(''), text)
      assert.equal(starts.length, numbers.length)
      assert.equal(lines, text === '' ? 0 : text.replace(/\n$/, '').split('\n').length)
      for (const [row, content] of rows.entries()) {
        assert.ok([...content.replace(/\r?\n$/, '')].length <= columns, JSON.stringify(content))
        assert.ok(!/^[\udc00-\udfff]/.test(content), 'half of a pair')
        if (content !== '') assert.equal(rowOf(starts, starts[row]), row)
        // A row that does not end its line goes on in one without a number.
        if (row + 1 < rows.length) assert.equal(numbers[row + 1] === 0, !content.endsWith('\n'))
      }
      assert.deepEqual([...numbers].filter(Boolean), Array.from({ length: Math.max(lines, 1) }, (_, n) => n + 1))
    }
  }
})

test('a line is broken at a gap where one is near', () => {
  const { starts } = layout(`${'word '.repeat(20)}${'x'.repeat(60)}`, 23)
  assert.deepEqual([...starts].slice(0, 6), [0, 20, 40, 60, 80, 100])
})

test('stretches in bytes are found in the text', () => {
  const text = 'ünï漢🦴 = ünï漢🦴\n'.repeat(30)
  const bytes = new TextEncoder().encode(text)
  const stretches = ['🦴', '漢', '=', 'ü'].map((character, n) => {
    const start = Buffer.from(bytes).indexOf(character, n * 100)
    return { start, end: start + Buffer.byteLength(character) }
  })
  const marks = inUnits(bytes, text, stretches)
  assert.equal(marks.length, 12)
  for (let i = 0; i < marks.length; i += 3) {
    const { start, end } = stretches[marks[i + 2]]
    assert.equal(text.slice(marks[i], marks[i + 1]), Buffer.from(bytes.subarray(start, end)).toString())
    if (i > 0) assert.ok(marks[i] >= marks[i - 2])
  }
  // What overlaps is cut, what lies in another is dropped.
  assert.deepEqual([...inUnits(new Uint8Array(9), 'x'.repeat(9), [{ start: 0, end: 5 }, { start: 1, end: 2 }, { start: 4, end: 9 }])], [0, 5, 0, 5, 9, 2])
})

test('a link says what it was made of, and what is malformed is left out', () => {
  const options = { sample: 'checkout.log', kind: 'log', keep: 'a b & c=ü', budget: '300', tab: 'toon', toon: 'decode', theme: 'dark' }
  assert.deepEqual(parse(format(options)), options)
  assert.equal(format({ keep: '', payload: 'secret' }), '')
  assert.deepEqual(parse('#sample=../x&kind=<b>&budget=0&tab=x&theme=pink&other=1&keep=%E0%A4%A'), { keep: '\ufffd%A' })
})
