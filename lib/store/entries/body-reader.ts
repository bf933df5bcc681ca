import { DatabaseSync } from "node:sqlite";
import { entryId, seqOf } from "./entry-id.ts";

/** Reads stored entries on a separate connection. The caller must have checked that the run is visible. */
export type BodyReader = {
  /** The bodies of the entries from seq `first` to `last` as JSON text, oldest first, one at a time. */
  read(runId: number, first: number, last: number): Iterable<{ seq: number; body: string }>;
  close(): void;
};

/** Opens an existing store file for reading. */
export function openBodyReader(storeFile: string): BodyReader {
  const database = new DatabaseSync(storeFile, { readOnly: true, timeout: 5000 });
  const bodies = database.prepare("select id, body from entries where id between :first and :last order by id");
  return {
    *read(runId, first, last) {
      for (const { id, body } of bodies.iterate({ first: entryId(runId, first), last: entryId(runId, last) })) {
        yield { seq: seqOf(runId, Number(id)), body: String(body) };
      }
    },
    close: () => database.close(),
  };
}
