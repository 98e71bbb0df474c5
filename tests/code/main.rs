//! What goes of real source files, against what tree-sitter's grammars say of them.
//!
//! Every run reads the compressor's own cases and the sources of locked crates that cargo has already fetched.
//! `CODE_FULL=1` adds files of pinned npm packages, checked by their hash; `CODE_FILES=DIR` adds `DIR/<language>/*`.
#![cfg(test)]

mod damage;
mod files;
mod grammar;
mod judge;
mod language;
mod oracle;
