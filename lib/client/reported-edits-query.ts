import { queryOptions } from "@tanstack/react-query";
import type { LogEntry } from "#lib/contract/entry.ts";
import { toolKindOf } from "#lib/entry/read-tool-view.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** At most this many edits are read; `isCut` says whether there are more. */
export const reportedEditsMax = 500;
const pageSize = 50;

/** Entries of a run that may edit files, complete and in order. */
export type ReportedEdits = { entries: LogEntry[]; isCut: boolean };

/**
 * Calls of tools that edit files, and of shells with a patch, in a run with `totalLogs` entries. For runs that another system
 * reports, of which no diff is stored.
 */
export function reportedEditsQuery(source: TraceSource, totalLogs: number) {
  return queryOptions({
    queryKey: [...traceKey(source), "reported-edits", totalLogs],
    queryFn: async ({ signal }): Promise<ReportedEdits> => {
      const { items } = await callTrace(source, "getLogTools", { signal });
      // Names with a comma cannot be part of a list.
      const names = items.map(({ tool_name }) => tool_name).filter((name) => !name.includes(","));
      const ofKind = (...kinds: string[]) => names.filter((name) => kinds.includes(toolKindOf(name))).join(",");
      const edits = await readAll(source, { tool_name: ofKind("edit") }, signal);
      const patches = await readAll(source, { tool_name: ofKind("shell", "generic"), q: "*** Begin Patch" }, signal);
      const bySeq = new Map([...edits.entries, ...patches.entries].map((entry) => [entry.seq, entry]));
      const entries = [...bySeq.values()].sort((one, other) => one.seq - other.seq);
      return { entries, isCut: edits.isCut || patches.isCut };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readAll(
  source: TraceSource,
  filter: { tool_name: string; q?: string },
  signal: AbortSignal,
): Promise<ReportedEdits> {
  const entries: LogEntry[] = [];
  if (filter.tool_name === "") return { entries, isCut: false };
  while (entries.length < reportedEditsMax) {
    const query = { ...filter, skip: entries.length, limit: pageSize };
    const { logs } = await callTrace(source, "getLogs", { query, signal });
    entries.push(...logs);
    if (logs.length < pageSize) return { entries, isCut: false };
  }
  return { entries, isCut: true };
}
