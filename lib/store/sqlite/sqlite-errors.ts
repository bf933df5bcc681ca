import { StoreError, type StoreTrouble } from "#lib/store/store-error.ts";

// Result codes of https://sqlite.org/rescode.html
const busy = 5;
/** SQLITE_IOERR_SHMSIZE: there was no room for the index of the log. */
const sharedMemorySize = 4874;
const outside: Record<number, string> = {
  [busy]: "has been held by another process for more than 5 s",
  8: "cannot be written: the file or its folder is read-only",
  10: "cannot be read or written: the disk reported an error",
  11: "is damaged: restore a backup",
  13: "cannot be written: the disk is full",
  14: "cannot be opened: the file or its folder is missing or not allowed",
  26: "is not an Errand store: the file is not a SQLite database",
};

const troubles: Record<number, StoreTrouble> = { 11: "damaged", 13: "full", 26: "damaged" };

/** True if another process held the lock. */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === busy || (error instanceof StoreError && resultCodeOf(error.cause) === busy);
}

/** Converts environment errors to a StoreError; returns defects (a violated constraint, a wrong statement) unchanged. */
export function storeErrorOf(file: string, error: unknown): unknown {
  const code = resultCodeOf(error) ?? -1;
  const reason = outside[code];
  if (reason === undefined) return error;
  return new StoreError(`The store ${file} ${reason}`, { cause: error, trouble: troubles[code] ?? null });
}

function resultCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode === sharedMemorySize ? 13 : error.errcode & 0xff;
}
