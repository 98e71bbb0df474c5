//! The cart.
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Cart {
    items: BTreeMap<u32, Item>,
}

impl Cart {
    pub fn total(&self) -> u64 {
        self.items.values().map(|i| i.price).sum()
    }

    fn add(&mut self, id: u32, item: Item) -> Result<(), Error> {
        let slot = self.items.get_mut(&id).ok_or(Error::Missing)?;
        *slot = item;
        Ok(())
    }
}
