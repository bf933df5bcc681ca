import type { Run } from "#lib/contract/runs/run.ts";
import type { ExportedEntries } from "./exported-entries.ts";

/** The run as the API shows it, with `logs`: the stored entries, one per line, unchanged. */
export async function* jsonFile(run: Run, entries: ExportedEntries): AsyncGenerator<string> {
  yield `${JSON.stringify(run).slice(0, -1)},"logs":[`;
  let between = "\n";
  for await (const entry of entries) {
    yield between + entry;
    between = ",\n";
  }
  yield "\n]}\n";
}
