// Copyright 2031 The Shop Authors.
// Licensed under the terms that the file LICENCE in the root
// of this source tree states, and under no others; the names
// of the authors may not be used to promote what is derived
// from this work without their written leave.

//! Carts and what becomes of them.
//!
//! A cart is a list of lines. It is read when it is priced, and
//! written when a line changes. Between the two nobody locks it:
//! the price carries the version that it was made from, and a
//! stale price is refused.
//!
//! # Examples
//!
//! ```
//! let cart = Cart::new();
//! assert!(cart.is_empty());
//! ```

/// Prices a cart.
///
/// The discount applies to the sum, not to the lines, so that
/// rounding happens once.
///
/// # Errors
///
/// When a line names a product that is gone.
///
/// # Panics
///
/// Never: sums saturate.
pub fn price(cart: &Cart) -> Result<Price, Gone> {
    let sum = cart.lines.iter().map(Line::total).sum();
    Ok(discount(sum))
}

/// Rates in force, by country.
static RATES: &[(&str, u32)] = &[
    ("at", 20),
    ("be", 21),
    ("de", 19),
    ("dk", 25),
    ("es", 21),
    ("fi", 25),
    ("fr", 20),
    ("it", 22),
    ("nl", 21),
    ("se", 25),
];

/// The largest cart.
pub const MAX_LINES: usize = 500;
