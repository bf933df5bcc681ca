/** The store cannot be opened or used because of its environment. The message is one line that a person can act on. */
export class StoreError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = "StoreError";
  }
}
