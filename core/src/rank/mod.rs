//! Ranking: which documents speak of a query, for retrieval by query and for the recall of memories.
//!
//! A document is whatever the caller calls one (a unit of an original, a memory). [`terms`] cuts text into terms,
//! [`Query`] counts its own terms in a document without keeping the others, [`bm25`] weighs the counts, [`exact`] finds
//! identifiers as they stand, [`pack`] fits the best into a budget. Corpus statistics are plain numbers, so a caller
//! with an index passes them in and a caller with a text counts them on the way.

pub mod bm25;
pub mod exact;
pub mod pack;
mod query;
mod stem;
pub mod terms;

pub use query::Query;
