//! Native and wasm give equal bytes (see `tests/`).
