import type { DatabaseSync } from "node:sqlite";

/** Rows of the index, as its readers query them. */
export function indexRows(database: DatabaseSync) {
  return {
    indexed: database.prepare("select indexed_seq from progress where run_id = ?"),
    allIndexed: database.prepare("select run_id, indexed_seq from progress"),
    blocks: database.prepare(`
      select id, first_seq, last_seq from blocks
      where run_id = :run
        and first_seq >= coalesce((select max(first_seq) from blocks where run_id = :run and first_seq <= :first), 0)
        and first_seq <= :last
      order by first_seq`),
    lastBlock: database.prepare("select coalesce(max(id), 0) as id from blocks"),
    runOf: database.prepare("select run_id from blocks where id = ?"),
    text: database.prepare("select text from texts where id = ?"),
    vocabulary: database.prepare("select tokens from vocabularies where id = ?"),
    places: database.prepare("select places from token_places where id = ?"),
    tail: database.prepare("select first_seq, last_seq, text from tails where run_id = ?"),
    tails: database.prepare("select run_id from tails"),
  };
}
export type IndexRows = ReturnType<typeof indexRows>;

/** Bytes of a column. Throws if the row is missing. */
export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error("A row of the search index is missing");
}
