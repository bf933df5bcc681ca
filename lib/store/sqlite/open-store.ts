import { allStores } from "#lib/store/all-stores.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { judgeAgain } from "#lib/store/entries/judge-again.ts";
import { idempotencyStore } from "#lib/store/idempotency.ts";
import type { Now } from "#lib/store/instant.ts";
import { sealKeyIds } from "#lib/store/sealed.ts";
import type { Store } from "#lib/store/store.ts";
import { joinedDialect } from "./joined-dialect.ts";
import { openSqlite } from "./sqlite-dialect.ts";

/**
 * Opens the store in `file`; creates it if it is missing (folder 0700, file 0600). Several processes may have it open. Throws
 * a one-line StoreError if the file cannot be used: not writable, not a store, damaged, or of another version.
 */
export async function openStore({
  file,
  now = () => new Date(),
  queueMax = 0,
  pagesMax = null,
}: StoreSettings): Promise<Store> {
  return storeOver(await openSqlite(file, pagesMax), () => now().getTime(), queueMax);
}

type StoreSettings = {
  file: string;
  now?: () => Date;
  /** Maximum number of queued runs per organization; 0 = unlimited. */
  queueMax?: number;
  /** Maximum number of pages of the file: with all in use, the store is as on a full disk. Null for none. */
  pagesMax?: number | null;
};

function storeOver(dialect: Dialect, now: Now, queueMax: number): Store {
  const stores = allStores(dialect, now, queueMax);
  return {
    ...stores,
    idempotency: idempotencyStore(dialect, now, (joined) => storeOver(joined, now, queueMax)),
    transaction: (work) =>
      dialect.writer.transaction().execute((trx) => work(storeOver(joinedDialect(dialect, trx), now, queueMax))),
    version: dialect.version,
    findTrouble: dialect.findTrouble,
    check: dialect.check,
    sealKeyIds: sealKeyIds(dialect),
    checkAtStart: dialect.checkAtStart,
    giveBack: dialect.giveBack,
    judgeAgain: judgeAgain(dialect, stores.entries),
    close: dialect.close,
  };
}
