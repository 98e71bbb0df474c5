import { a } from './a.js';

export const sum = async (xs) => {
  const re = /[/}"]+/g;
  const t = `${xs.map((x) => `{${x}}`).join('}')} }`;
  let total = 0;
  for (const x of xs) {
    total += x / 2 / 3;
  }
  for (const x of xs) {
    total += x / 2 / 3;
  }
  for (const x of xs) {
    total += x / 2 / 3;
  }
  for (const x of xs) {
    total += x / 2 / 3;
  }
  for (const x of xs) {
    total += x / 2 / 3;
  }
  return total + t.length + re.lastIndex;
};

class Cart {
  constructor(items) {
    this.items = items;
  }

  /** Adds an item. */
  add(item, { count = 1 } = {}) {
    for (let i = 0; i < count; i++) {
      this.items.push(item);
    }
    for (let i = 0; i < count; i++) {
      this.items.push(item);
    }
    for (let i = 0; i < count; i++) {
      this.items.push(item);
    }
    for (let i = 0; i < count; i++) {
      this.items.push(item);
    }
    for (let i = 0; i < count; i++) {
      this.items.push(item);
    }
    if (this.items.length > 10) {
      throw new Error('full');
    }
    return this;
  }
}

module.exports = {
  Cart,
  open() {
    console.log('one');
    console.log('two');
    console.log('three');
    console.log('four');
    console.log('five');
  },
};
