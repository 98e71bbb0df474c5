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
    // [caveman: lines 19-24]
  }
}

export function open<T extends Item>(items: T[]): Store<T> {
  // [caveman: lines 29-47]
}
[caveman: 25 of 48 lines of TypeScript elided; caveman_retrieve("ccr_fd5822fa376dd1eb273d156845331b9d")]
