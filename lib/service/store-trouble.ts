import { ApiError } from "#lib/contract/error.ts";
import { StoreError, type StoreTrouble } from "#lib/store/store-error.ts";

/** Messages about a store that needs somebody to act, for people and programs. */
export const troubleWords: Record<StoreTrouble, string> = {
  full: "Errand's disk is full: nothing can be changed until there is space.",
  damaged:
    "store_damaged: the store cannot be read in full. Restore a backup; `npm run --silent errand -- doctor` says more.",
};

const retrySeconds = 30;

/** The error reported to a caller while the store is in trouble; null for every other error. */
export function troubleError(error: unknown): ApiError | null {
  if (!(error instanceof StoreError)) return null;
  if (error.trouble === "full") {
    const headers = { "retry-after": String(retrySeconds) };
    return new ApiError("disk_full", "Errand's disk is full: nothing was changed.", {
      headers,
      cause: error,
    });
  }
  if (error.trouble === "damaged") {
    return new ApiError("store_damaged", "The store is damaged: this part of it cannot be read.", { cause: error });
  }
  return null;
}
