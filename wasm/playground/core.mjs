// The worker as functions that give promises.
export class Core {
  #worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
  #waiting = new Map();
  #last = 0;

  constructor(onBroken) {
    this.#worker.addEventListener('message', ({ data: { id, result, error } }) => {
      const { settle, fail } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) settle(result);
      else fail(new Error(error));
    });
    this.#worker.addEventListener('error', (event) => onBroken(event.message ?? 'the worker cannot be loaded'));
  }

  ask(verb, args, moved = []) {
    const id = ++this.#last;
    return new Promise((settle, fail) => {
      this.#waiting.set(id, { settle, fail });
      this.#worker.postMessage({ id, verb, args }, moved);
    });
  }
}
