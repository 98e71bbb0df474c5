//! Walks trees.

use std::fs;

/// A walker.
pub struct Walker {
    depth: usize,
}

impl Walker {
    /// Step 0 of the walk.
    pub fn step_0(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..0 {
            total += entry * 0;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 1 of the walk.
    pub fn step_1(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..1 {
            total += entry * 1;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 2 of the walk.
    pub fn step_2(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..2 {
            total += entry * 2;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 3 of the walk.
    pub fn step_3(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..3 {
            total += entry * 3;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 4 of the walk.
    pub fn step_4(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..4 {
            total += entry * 4;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 5 of the walk.
    pub fn step_5(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..5 {
            total += entry * 5;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 6 of the walk.
    pub fn step_6(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..6 {
            total += entry * 6;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 7 of the walk.
    pub fn step_7(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..7 {
            total += entry * 7;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 8 of the walk.
    pub fn step_8(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..8 {
            total += entry * 8;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 9 of the walk.
    pub fn step_9(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..9 {
            total += entry * 9;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 10 of the walk.
    pub fn step_10(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..10 {
            total += entry * 10;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 11 of the walk.
    pub fn step_11(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..11 {
            total += entry * 11;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 12 of the walk.
    pub fn step_12(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..12 {
            total += entry * 12;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 13 of the walk.
    pub fn step_13(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..13 {
            total += entry * 13;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 14 of the walk.
    pub fn step_14(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..14 {
            total += entry * 14;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 15 of the walk.
    pub fn step_15(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..15 {
            total += entry * 15;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 16 of the walk.
    pub fn step_16(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..16 {
            total += entry * 16;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 17 of the walk.
    pub fn step_17(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..17 {
            total += entry * 17;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 18 of the walk.
    pub fn step_18(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..18 {
            total += entry * 18;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 19 of the walk.
    pub fn step_19(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..19 {
            total += entry * 19;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 20 of the walk.
    pub fn step_20(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..20 {
            total += entry * 20;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

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

    /// Step 22 of the walk.
    pub fn step_22(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..22 {
            total += entry * 22;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 23 of the walk.
    pub fn step_23(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..23 {
            total += entry * 23;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 24 of the walk.
    pub fn step_24(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..24 {
            total += entry * 24;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 25 of the walk.
    pub fn step_25(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..25 {
            total += entry * 25;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 26 of the walk.
    pub fn step_26(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..26 {
            total += entry * 26;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 27 of the walk.
    pub fn step_27(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..27 {
            total += entry * 27;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 28 of the walk.
    pub fn step_28(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..28 {
            total += entry * 28;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 29 of the walk.
    pub fn step_29(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..29 {
            total += entry * 29;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 30 of the walk.
    pub fn step_30(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..30 {
            total += entry * 30;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 31 of the walk.
    pub fn step_31(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..31 {
            total += entry * 31;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 32 of the walk.
    pub fn step_32(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..32 {
            total += entry * 32;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

    /// Step 33 of the walk.
    pub fn step_33(&mut self) -> usize {
        let mut total = self.depth;
        for entry in 0..33 {
            total += entry * 33;
            self.depth = total;
            println!("visiting entry {entry} at depth {}", self.depth);
        }
        total
    }

}

fn main() {}
