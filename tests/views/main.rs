//! Views: what a query over an original gives.

mod cases;
mod needles;
mod properties;
