import { isDeepStrictEqual } from "node:util";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { kindOf } from "#lib/store/entries/entry-blocks.ts";
import type { RunRow, Store } from "#lib/store/store.ts";

/** Entries that are looked through, from the newest. */
const lookedAtMax = 100_000;
/** ERROR entries that are read of them. */
const readMax = 100;
const bytesMax = 1_000_000;

/** Whether a run's newest ERROR entry of this code has the same `data`: said again, it would be no news. */
export async function isToldBefore(store: Store, run: RunRow, entry: NewEntry): Promise<boolean> {
  const { code, data } = fieldsOf(entry.observation);
  const access = { organizationId: run.organizationId, userId: null };
  const first = Math.max(1, run.totalLogs - lookedAtMax);
  const { kinds } = await store.entries.marks(access, run.id, { first, last: run.totalLogs });
  const errors = [...kinds.keys()].filter((at) => kinds[at] === errorKind).map((at) => first + at);
  const read = await store.entries.readChosen(access, run.id, errors.slice(-readMax).reverse(), bytesMax);
  // The store wrote these bodies from parsed entries.
  const said = read.map(({ body }) => (JSON.parse(body) as { observation: unknown }).observation).map(fieldsOf);
  return isDeepStrictEqual(said.find((fields) => fields.code === code)?.data, data);
}

const errorKind = kindOf("ERROR", true).charCodeAt(0);
