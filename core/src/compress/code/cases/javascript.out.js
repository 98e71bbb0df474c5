import { a } from './a.js';

export const sum = async (xs) => {
  // [caveman: 19 lines elided: 4-22]
};

class Cart {
  constructor(items) {
    this.items = items;
  }

  /** Adds an item. */
  add(item, { count = 1 } = {}) {
    // [caveman: 19 lines elided: 32-50]
  }
}

module.exports = {
  Cart,
  open() {
    // [caveman: 5 lines elided: 57-61]
  },
};
[caveman: 43 of 63 lines elided; caveman_retrieve("ccr_741dd9b8e06e0b57aa518491db6d320e")]
