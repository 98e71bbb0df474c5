import type { Item } from './item';

export interface Cart {
  readonly id: string;
  items: Item[];
  note?: string;
}

export type Rate = 'full' | 'none';

export function total(cart: Cart, rate: Rate = 'full'): number {
  const net = cart.items.reduce((sum: number, i) => sum + i.price, 0);
  return rate === 'full' ? net * 1.2 : net;
}
