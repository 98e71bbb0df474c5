// The official schemas of every protocol revision, from pinned packages: JSON schemas out of the conformance runner, and for
// the oldest revision, of which that has none, the official SDK of its time.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as oldest from 'sdk-of-2024-11-05/types.js'

export const OLDEST = '2024-11-05'
export const HANDSHAKES = [OLDEST, '2025-03-26', '2025-06-18', '2025-11-25']
export const NEWEST = '2026-07-28'
export const REVISIONS = [...HANDSHAKES, NEWEST]

/** The results of the methods that the server knows. */
const RESULT_OF = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'server/discover': 'DiscoverResult',
}
/** Errors that have a definition of their own where a revision knows them. */
const ERROR_OF = { [-32022]: 'UnsupportedProtocolVersionError' }

const validators = new Map()

/** What is wrong with `answer` to a request of `method` in `revision`, by its official schema; an empty list when nothing is. */
export function problems(revision, answer, method) {
  const check = validators.get(revision) ?? validatorOf(revision)
  validators.set(revision, check)
  if (answer.error !== undefined) {
    return [...check(['JSONRPCErrorResponse', 'JSONRPCError'], answer), ...check([ERROR_OF[answer.error.code]], answer)]
  }
  return [...check(['JSONRPCResultResponse', 'JSONRPCResponse'], answer), ...check([RESULT_OF[method]], answer.result)]
}

/** A function from the names that a definition may have in `revision`, and a value, to what is wrong with the value. */
function validatorOf(revision) {
  if (revision === OLDEST) {
    return (names, value) => {
      const schema = names.map((name) => oldest[`${name}Schema`]).find(Boolean)
      return schema?.safeParse(value).error?.issues.map((issue) => `${issue.path.join('/')}: ${issue.message}`) ?? []
    }
  }
  const schema = published()[revision]
  const key = '$defs' in schema ? '$defs' : 'definitions'
  const ajv = new (key === '$defs' ? Ajv2020 : Ajv)({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addFormat('byte', true)
  ajv.addSchema({ ...schema, $id: revision })
  return (names, value) => {
    const name = names.find((name) => name in schema[key])
    if (name === undefined) return []
    const validate = ajv.getSchema(`${revision}#/${key}/${name}`)
    return validate(value) ? [] : validate.errors.map((error) => `${name}${error.instancePath}: ${error.message}`)
  }
}

/** The JSON schemas by revision. The runner carries them as object literals, one after the other, oldest first. */
function published() {
  const bundle = readFileSync(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url), 'utf8')
  const literals = [...bundle.matchAll(/\{\$schema:`[^`]+`,(?:\$defs|definitions):\{Annotations:/g)].map(({ index }) => literalAt(bundle, index))
  const schemas = literals.map((literal) => structuredClone(runInNewContext(`(${literal})`)))
  const found = schemas.map((schema) => {
    const names = schema.$defs ?? schema.definitions
    if ('DiscoverResult' in names) return NEWEST
    if ('Task' in names) return '2025-11-25'
    return 'JSONRPCBatchResponse' in names ? '2025-03-26' : '2025-06-18'
  })
  const byRevision = Object.fromEntries(found.map((revision, at) => [revision, schemas[at]]))
  const missing = REVISIONS.filter((revision) => revision !== OLDEST && !(revision in byRevision))
  if (missing.length > 0) throw new Error(`the conformance runner holds no schema of ${missing}`)
  return byRevision
}

/** The object literal that begins at `start`: its strings stand in backticks and hold no expressions. */
function literalAt(text, start) {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '`') {
      for (at++; text[at] !== '`'; at++) if (text[at] === '\\') at++
    } else if (text[at] === '{') {
      depth++
    } else if (text[at] === '}' && --depth === 0) {
      return text.slice(start, at + 1)
    }
  }
  throw new Error('the literal does not end')
}
