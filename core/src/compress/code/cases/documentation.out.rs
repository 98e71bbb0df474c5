// Copyright 2031 The Shop Authors.
// [caveman: lines 2-5]

//! Carts and what becomes of them.
//! [caveman: lines 8-19; Examples]

/// Prices a cart.
/// [caveman: lines 22-32; Errors, Panics]
pub fn price(cart: &Cart) -> Result<Price, Gone> {
    let sum = cart.lines.iter().map(Line::total).sum();
    Ok(discount(sum))
}

/// Rates in force, by country.
static RATES: &[(&str, u32)] = &[
    ("at", 20),
    ("be", 21),
    // [caveman: lines 42-48]
    ("se", 25),
];

/// The largest cart.
pub const MAX_LINES: usize = 500;
[caveman: 34 of 53 lines of Rust elided; caveman_retrieve("ccr_21070d307d063db5f47415ca7db089e6")]
