import type { QueryClient } from "@tanstack/react-query";
import { clipCharacters, windowSize, windowsAround } from "#components/trace/log-windows.ts";
import { logsQuery } from "#lib/client/log-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";

/** So many entries on both sides of a hit are in view or near it. */
const AROUND = 10;
/** What takes longer is shown on its way. */
const PREPARED_WITHIN_MS = 150;

/**
 * Loads the entries around a hit before it is scrolled to: what is at hand is shown in the same frame, without the places of
 * missing entries first. Null where it is at hand already; else resolves when it is, or after 150 ms.
 */
export function prepareHit(
  client: QueryClient,
  source: TraceSource,
  seq: number,
  totalLogs: number,
): Promise<unknown> | null {
  const missing = windowsAround(Math.max(0, seq - 1 - AROUND), seq - 1 + AROUND, totalLogs)
    .map((skip) => logsQuery(source, { skip, limit: windowSize, clip: clipCharacters }))
    .filter(({ queryKey }) => client.getQueryData(queryKey) === undefined);
  if (missing.length === 0) return null;
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, PREPARED_WITHIN_MS);
  return Promise.race([promise, Promise.all(missing.map((query) => client.prefetchQuery(query)))]);
}
