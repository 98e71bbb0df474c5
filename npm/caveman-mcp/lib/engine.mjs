// The wasm core in this process.
import { core } from '../core/door.mjs';

export { Trap, contained, core, opened, textOf } from '../core/door.mjs';

/** Starts the core from its compiled module. */
export function start(module) {
  core.initSync({ module });
}
