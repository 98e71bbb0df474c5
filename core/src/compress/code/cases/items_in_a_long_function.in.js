export function createStore(options) {
  const lines = new Map();
  let version = 0;
  const listeners = [];
  if (options.initial) {
    for (const line of options.initial) {
      lines.set(line.id, line);
    }
  }
  const notify = (change) => {
    version += 1;
    for (const listener of listeners) {
      try {
        listener(change, version);
      } catch (error) {
        console.error("a listener failed", error);
      }
    }
    if (options.persist) {
      options.persist([...lines.values()], version);
    }
  };
  options.log?.("store created");
  options.log?.("version 0");
  options.log?.("ready");
  options.log?.("open");
  const api = {
    get size() { return lines.size; },
    version: () => version,
  };
  api.add = (line) => notify({ added: line, lines: lines.set(line.id, line) });
  api.remove = (id) => notify({ removed: id, found: lines.delete(id) });
  api.subscribe = (listener) => listeners.push(listener);
  api.clear = () => notify({ cleared: lines.size, lines: lines.clear() });
  api.toJSON = () => [...lines.values()];
  return api;
}
