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
        let open = '{';
        let raw = r#"a " } b"#;
        let text = "escaped \" } quote";
        /* nested /* } */ } */
        // TODO: charge before shipping
        if cart.is_empty() {
            return Err(format!("empty {open} {raw} {text}"));
        }
        for item in ca