import { a } from './a.js';

export const sum = async (xs) => {
  // [caveman: lines 4-22]
};

class Cart {
  constructor(items) {
    this.items = items;
  }

  /** Adds an item. */
  add(item, { count = 1 } = {}) {
    // [caveman: lines 32-50]
  }
}

module.exports = {
  Cart,
  open() {
    // [caveman: lines 57-61]
  },
};
[caveman: 43 of 63 lines of JavaScript elided; caveman_retrieve("ccr_741dd9b8e06e0b57aa518491db6d320e")]
