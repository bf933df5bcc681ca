import type { Transaction } from "kysely";
import { metadataNameMax, metadataValueMax } from "#lib/contract/bounds.ts";
import { idOf } from "#lib/contract/json-fields.ts";
import type { Schema } from "#lib/store/schema.ts";

/**
 * Indexes a run's metadata for filters: its texts, numbers and booleans, as text. Left out: names over `metadataNameMax` and values
 * over `metadataValueMax` characters, null, objects and arrays.
 */
export async function insertRunMetadata(
  trx: Transaction<Schema>,
  run: { organizationId: number; id: number },
  metadata: Record<string, unknown>,
): Promise<void> {
  const rows = Object.entries(metadata).flatMap(([name, value]) => {
    const text = typeof value === "boolean" ? String(value) : idOf(value);
    if (text === null) return [];
    if (name.length > metadataNameMax || text.length > metadataValueMax) return [];
    return [{ organization_id: run.organizationId, name, value: text, run_id: run.id }];
  });
  // In groups: a statement takes a bounded number of values.
  for (let at = 0; at < rows.length; at += 1000) {
    await trx
      .insertInto("run_metadata")
      .values(rows.slice(at, at + 1000))
      .execute();
  }
}
