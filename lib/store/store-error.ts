/** What keeps a store from working until somebody acts: its disk is full, or its file is damaged. */
export type StoreTrouble = "full" | "damaged";

/** The store cannot be opened or used because of its environment. The message is one line that a person can act on. */
export class StoreError extends Error {
  /** Null for every other reason. */
  readonly trouble: StoreTrouble | null;

  constructor(
    message: string,
    { trouble = null, ...options }: { cause?: unknown; trouble?: StoreTrouble | null } = {},
  ) {
    super(message, options);
    this.name = "StoreError";
    this.trouble = trouble;
  }
}

/** True if the store's disk was full: nothing was written, and writes work again once there is space. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof StoreError && error.trouble === "full";
}

/** For incidental writes of reads: reads continue while the disk is full. Throws every other error. */
export function passOverFullDisk(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}
