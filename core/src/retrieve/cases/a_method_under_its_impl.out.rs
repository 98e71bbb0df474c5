… [caveman: 3 items between] …
impl Walker {
… [caveman: 21 items between] …
    /// Step 21 of the walk.
    pub fn step_21(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..21 {
            total += entry * 21;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }
… [caveman: 14 items between] …
1 of 1 matching units shown
