export declare class Client {
  private readonly host: string;
  timeout: number;
  headers: Record<string, string>;
  constructor(host: string, options?: Options);
  get<T>(path: string): Promise<T>;
  close(): void;
}
