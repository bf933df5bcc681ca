import { setTimeout as delay } from "node:timers/promises";
import type { EngineLogger, EngineParts } from "./engine-parts.ts";

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

/** {@link tidyPrepared} at the start of an engine and every minute. */
export function startTidying(
  parts: Parameters<typeof tidyPrepared>[0],
  logger: EngineLogger,
): { stop(): Promise<void> } {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      await tidyPrepared(parts).catch((error) => logger.error({ err: error }, "setup caches could not be tidied up"));
      await delay(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

function wordsOf({ repositoryId, key }: { repositoryId: number; key: string }): string {
  return `${repositoryId}/${key}`;
}
