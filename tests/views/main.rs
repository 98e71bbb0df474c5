//! Views: what a query over an original gives.

#[cfg(test)]
mod cases;
#[cfg(test)]
mod needles;
#[cfg(test)]
mod properties;
