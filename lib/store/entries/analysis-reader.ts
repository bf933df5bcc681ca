import { DatabaseSync } from "node:sqlite";
import type { DenialRule } from "#lib/contract/repositories/network.ts";
import { entryId } from "./entry-id.ts";

/** Reads a run for its analysis, on a separate connection. The caller must have checked that the run is visible. */
export type AnalysisReader = {
  /** Bodies of entries from seq `first` to `last`, oldest first, one at a time. */
  bodies(runId: number, first: number, last: number): Iterable<string>;
  /**
   * The stored unified diff, whose bytes need not be UTF-8; null if none was stored, `cut` if it was too large to store in
   * full.
   */
  diff(runId: number): Uint8Array | "cut" | null;
  /** Connections that were refused, by host and reason, the first refused first. */
  denials(runId: number): { host: string; rule: DenialRule }[];
  close(): void;
};

/** Opens an existing store file for reading. */
export function openAnalysisReader(storeFile: string): AnalysisReader {
  const database = new DatabaseSync(storeFile, { readOnly: true, timeout: 5000 });
  const bodies = database.prepare("select body from entries where id between :first and :last order by id");
  const diff = database.prepare(
    "select diff, json_extract(changes, '$.truncated') as cut from run_diffs join runs on runs.id = run_id where run_id = ?",
  );
  const denials = database.prepare("select host, rule from run_denials where run_id = ? order by at, host, rule");
  return {
    *bodies(runId, first, last) {
      for (const { body } of bodies.iterate({ first: entryId(runId, first), last: entryId(runId, last) }))
        yield String(body);
    },
    diff(runId) {
      const row = diff.get(runId);
      if (row?.cut === 1) return "cut";
      return row?.diff instanceof Uint8Array ? row.diff : null;
    },
    // Written by `noteDenials` only.
    denials: (runId) => denials.all(runId) as { host: string; rule: DenialRule }[],
    close: () => database.close(),
  };
}
