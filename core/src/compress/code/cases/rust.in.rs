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
        for item in cart {
            println!("{item}");
        }
        for item in cart {
            println!("{item}");
        }
        for item in cart {
            println!("{item}");
        }
        for item in cart {
            println!("{item}");
        }
        for item in cart {
            println!("{item}");
        }
        Ok(())
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
        let order = super::Order { id: 1 };
        let result = order.place(&[]);
        assert!(result.is_err());
        assert_eq!(order.id(), 1);
        assert_eq!(order.clone().id, 1);
    }
}
