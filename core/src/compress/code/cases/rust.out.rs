//! Orders of a shop.
use std::collections::BTreeMap;

/// One order.
#[derive(Debug, Clone)]
pub struct Order {
    pub id: u32,
}

impl Order {
    /// Places it: takes the cart and the buyer.
    ///
    /// # Errors
    /// When the cart is empty.
    #[inline]
    pub fn place<'a>(&'a self, cart: &[u32]) -> Result<(), String>
    where
        Self: Sized,
    {
        // [caveman: lines 20-43; TODO: 24]
    }

    fn id(&self) -> u32 {
        self.id
    }
}

macro_rules! both {
    ($a:expr) => { $a };
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_empty_cart_is_refused() {
        // [caveman: lines 59-63]
    }
}
[caveman: 29 of 65 lines of Rust elided; caveman_retrieve("ccr_0089f152ea10a714a5196d821a8e22de")]
