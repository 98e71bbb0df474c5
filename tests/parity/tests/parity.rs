//! Native and wasm give equal bytes.
