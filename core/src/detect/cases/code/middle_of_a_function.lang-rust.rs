        if let Some(rate) = self.rates.get(&code) {
            let tax = match rate {
                Rate::Full => total / 5,
                Rate::None => 0,
            };
            return Ok(total + tax);
        }
        for item in &self.items {
            log::debug!("no rate for {}", item.name);
        }
        Err(Error::NoRate { code })
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
