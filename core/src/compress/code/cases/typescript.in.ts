export interface Item {
  id: number;
  name: string;
}

export type Handler = (item: Item) => void;

@Injectable()
export class Store<T extends Item> {
  private items = new Map<number, T>();

  constructor(private readonly log: (text: string) => void) {}

  get(id: number): T | undefined {
    return this.items.get(id);
  }

  async put(item: T): Promise<void> {
    const before = this.items.get(item.id);
    if (before) {
      this.log(`replaces ${before.name}`);
    }
    this.items.set(item.id, item);
    await Promise.resolve();
  }
}

export function open<T extends Item>(items: T[]): Store<T> {
  const store = new Store<T>((text) => console.log(text));
  for (const item of items) {
    void store.put(item);
  }
  for (const item of items) {
    void store.put(item);
  }
  for (const item of items) {
    void store.put(item);
  }
  for (const item of items) {
    void store.put(item);
  }
  for (const item of items) {
    void store.put(item);
  }
  const n: number = items.length;
  console.log(`holds ${n}`);
  return store;
}
