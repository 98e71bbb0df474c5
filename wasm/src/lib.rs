//! The door: the exports of the one wasm artifact.
