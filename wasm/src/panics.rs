//! What a dead instance can still say: where it panicked.
//!
//! In wasm a panic aborts, the host sees a trap, asks the dead instance here, and starts a new one. Only the place is
//! kept: a message may quote the payload.

use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs when the module is instantiated.
#[cfg(target_family = "wasm")]
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        PLACE.with_borrow_mut(|kept| *kept = place.unwrap_or_default());
    }));
}

/// File and line of the panic that ended this instance; empty when there was none.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> String {
    PLACE.with_borrow(String::clone)
}
