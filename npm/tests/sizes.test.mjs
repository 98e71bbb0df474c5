// How large the wasm artifact may be: a page loads it, and `npx` fetches it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizes, told } from '../scripts/sizes.mjs';

const KIB = 1024;
// As the compiler leaves it; Binaryen takes another twentieth off what is published. Raise one only for what is worth its bytes.
const CEILINGS = { program: 1440 * KIB, programBrotli: 424 * KIB, moduleBrotli: 1638 * KIB };

test('the artifact stays below its ceilings', () => {
  const found = sizes();
  for (const [part, ceiling] of Object.entries(CEILINGS)) {
    assert.ok(found[part] > 0 && found[part] <= ceiling, `${part}: ${found[part]} bytes, at most ${ceiling}; ${told(found)}`);
  }
});
