// The whole interface of a store in one place.
import type { allStores } from "./all-stores.ts";
import type { Dialect } from "./dialect.ts";

export type { OrganizationRow, UserRow } from "#lib/store/people/organizations.ts";
export type { SessionRow } from "#lib/store/people/sessions.ts";
export type { ListedTokenRow, TokenFilter, TokenRow } from "#lib/store/people/tokens.ts";
export type { RepositoryRow } from "#lib/store/repositories/repositories.ts";
export type { QueueStore } from "#lib/store/runs/queue.ts";
export type { Claimed, ControlRequests, Figures, Lease } from "#lib/store/runs/queue-store.ts";
export { LeaseLostError } from "#lib/store/runs/queue-store.ts";
export type { RunRow } from "#lib/store/runs/run-rows.ts";
export type * from "#lib/store/runs/run-store.ts";
export type { QueuedTurnRow } from "#lib/store/turns/queued-turns.ts";
export type * from "./window.ts";

/** The only access to the data. Instants are ISO 8601 strings in UTC with milliseconds; ids are positive safe integers. */
export type Store = ReturnType<typeof allStores> &
  Pick<Dialect, "version" | "findTrouble" | "check" | "checkAtStart" | "giveBack" | "close"> & {
    idempotency: IdempotencyStore;
    /**
     * Does `work` atomically: everything it writes through the given store is committed together, or not at all if it throws, and
     * it reads its own writes there. It must use no other store meanwhile and wait for nothing else; nothing else is written
     * until it ends.
     */
    transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
    /** Judges some entries that an earlier rule for failures judged; false if there are none. */
    judgeAgain(): Promise<boolean>;
    /** Ids of the keys with which stored secrets are encrypted, each once. */
    sealKeyIds(): Promise<string[]>;
  };

export type KeptAnswer = { status: number; body: string };

export type IdempotencyStore = {
  /**
   * Does `work` unless its response is stored from the last 24 h, and stores its response. Everything `work` writes through the
   * given store is committed together with the response, or not at all if it throws. Nothing else is written in the meantime, so it
   * must wait for nothing but that store. `mismatch` if the key was used with another digest.
   */
  once(
    place: { caller: string; operation: string; key: string },
    digest: Uint8Array,
    work: (store: Store) => Promise<KeptAnswer>,
  ): Promise<{ answer: KeptAnswer; replayed: boolean } | "mismatch">;
};
