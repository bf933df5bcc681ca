import type { EngineLogger, EngineParts } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

const everyMs = 60_000;

/** How long to remember that a repository had an outdated prepared checkout. */
const rememberedMs = 7 * 24 * 3600_000;

/**
 * Removes what no run may begin with any more, and beyond `bytesMax` the least recently used. What a run has mounted stays until
 * a later call. Rows without folders and folders without rows, which a killed service leaves, are removed too.
 */
export async function tidyPrepared({
  store,
  workspace,
  prepared: { bytesMax },
}: Pick<EngineParts, "store" | "workspace" | "prepared">): Promise<void> {
  const rows = await store.prepared.listAll();
  const folders = new Set((await workspace.prepared.list()).map(wordsOf));
  let bytes = rows.reduce((sum, row) => sum + (row.state === "ready" ? row.bytes : 0), 0);
  for (const row of rows) {
    const isThere = folders.has(wordsOf(row));
    if (row.state === "ready" && isThere && bytes <= bytesMax) continue;
    if (row.state === "building") continue;
    if (isThere && !(await workspace.prepared.remove(row))) continue;
    if (row.state === "ready") bytes -= row.bytes;
    const isRecent = Date.now() - Date.parse(row.madeAt) < rememberedMs;
    const isNewest = !rows.some((other) => other.repositoryId === row.repositoryId && other.madeAt > row.madeAt);
    if (row.state === "ready" || !isRecent || !isNewest) await store.prepared.remove(row);
  }
  const known = new Set(rows.map(wordsOf));
  // A folder that was renamed before its row was finished still has a row: it was `building` when the rows were read.
  for (const folder of await workspace.prepared.list()) {
    if (!known.has(wordsOf(folder)) && folders.has(wordsOf(folder))) await workspace.prepared.remove(folder);
  }
}

/** {@link tidyPrepared} every minute. */
export class TidyPrepared extends PeriodicTask {
  readonly #parts: Parameters<typeof tidyPrepared>[0];

  constructor(parts: Parameters<typeof tidyPrepared>[0], logger: EngineLogger) {
    super({ everyMs, logger, trouble: "setup caches could not be tidied up" });
    this.#parts = parts;
  }

  protected async work(): Promise<void> {
    await tidyPrepared(this.#parts);
  }
}

function wordsOf({ repositoryId, key }: { repositoryId: number; key: string }): string {
  return `${repositoryId}/${key}`;
}
