//! TOON against what is not ours: the specification's fixtures, and another implementation on generated documents.
//!
//! `TOON_FULL=1 cargo test --release -p caveman-tests --test toon` runs the full numbers of the differential tests
//! (30,000 documents, 60,000 mutants, 1,000,000 for panics); without it an eighth of them.
#![cfg(test)]

mod conformance;
mod exact;
mod fixtures;
mod generate;
mod numbers;
mod oracle;
