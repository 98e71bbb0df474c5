// What the registry of MCP servers takes (its format of 2025-12-11), as far as our entry goes; and stricter than it: a field that
// stands in no list here is a mistake.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const development = createRequire(join(fileURLToPath(new URL('../..', import.meta.url)), 'tests/node/package.json'));

const text = (rules = {}) => ({ type: 'string', minLength: 1, ...rules });
const record = (required, optional = {}) => ({ type: 'object', required: Object.keys(required), properties: { ...required, ...optional }, additionalProperties: false });
const list = (items) => ({ type: 'array', items });
const url = text({ format: 'uri', pattern: '^https://' });
/** One version: no range, no `latest`. */
const version = text({ maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' });

const input = {
  description: text(),
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  default: text(),
  placeholder: text(),
  choices: list(text()),
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
};

const ENTRY = record(
  {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: text({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    description: text({ maxLength: 100 }),
    version,
    packages: {
      ...list(
        record(
          { registryType: { const: 'npm' }, identifier: text(), version, transport: record({ type: { const: 'stdio' } }) },
          {
            runtimeHint: { const: 'npx' },
            packageArguments: list({ oneOf: [record({ type: { const: 'positional' }, value: text() }, input), record({ type: { const: 'named' }, name: text({ pattern: '^--?[a-z]' }) }, { value: text(), ...input })] }),
            environmentVariables: list(record({ name: text({ pattern: '^[A-Z][A-Z0-9_]*$' }) }, input)),
          },
        ),
      ),
      minItems: 1,
    },
  },
  { title: text({ maxLength: 100 }), websiteUrl: url, repository: record({ url, source: { const: 'github' } }, { id: text(), subfolder: text() }) },
);

/** What is wrong with an entry, in lines; none when the registry would take it. */
export function mistakes(entry) {
  const { default: Ajv } = development('ajv');
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false });
  development('ajv-formats').default(ajv);
  const isRight = ajv.compile(ENTRY);
  if (isRight(entry)) return entry.packages.flatMap(({ environmentVariables = [] }) => environmentVariables.flatMap(unfit));
  return isRight.errors.map(({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`);
}

/** A default is a value that the variable may have. */
function unfit({ name, format, choices, default: value }) {
  if (value === undefined) return [];
  const right = { number: /^-?\d+(\.\d+)?$/, boolean: /^(true|false)$/ }[format] ?? /^/;
  return right.test(value) && (choices === undefined || choices.includes(value)) ? [] : [`${name}: its default is ${value}`];
}
