import fs from 'node:fs';
import { join } from 'node:path';

export class Store {
  #files = new Map();

  read(name) {
    const path = join('data', name);
    return this.#files.get(path) ?? fs.readFileSync(path, 'utf8');
  }
}

export default new Store();
