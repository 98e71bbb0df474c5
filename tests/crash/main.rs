//! Many processes on one store, and processes that die at any moment: no handle that was answered is ever lost.
//!
//! The processes are this binary itself: see [`worker`]. The default sizes keep the suite under a minute; the full ones are
//! `CAVEMAN_TEST_KILLS=500 CAVEMAN_TEST_ORIGINALS=2000 cargo test -p caveman-native --test crash`.
#![cfg(test)]

#[path = "../harness/mod.rs"]
mod harness;

mod kill;
mod load;
mod worker;
