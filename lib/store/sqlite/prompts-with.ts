import { type RawBuilder, sql } from "kysely";
import { promptIndex } from "./create-tables.ts";

/** Characters in one case, and those that have none: SQLite and JavaScript do not agree on the others in all alphabets. */
const sameEverywhere = /[\x20-\x7e\p{Lo}]{3,}/gu;
/** So many sequences say enough, and the rest is read anyway. */
const sequencesMax = 24;

/**
 * SQL: ids of the runs whose first prompt may contain the text, ignoring case; null if only reading all of them shows it, as for
 * fewer than three characters.
 */
export function promptsWith(text: string): RawBuilder<number> | null {
  const sequences = new Set(
    Array.from(text.matchAll(sameEverywhere)).flatMap(([part]) => {
      const characters = Array.from(part);
      return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(""));
    }),
  );
  if (sequences.size === 0) return null;
  const match = Array.from(sequences, (one) => `"${one.replaceAll('"', '""')}"`).slice(0, sequencesMax);
  return sql<number>`(select rowid from ${sql.table(promptIndex)} where ${sql.ref(promptIndex)} match ${match.join(" AND ")})`;
}
