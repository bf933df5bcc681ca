import { queryOptions } from "@tanstack/react-query";
import { browserTransport, type Transport } from "#lib/client/request.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { toolKindOf } from "#lib/entry/read-tool-view.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** At most this many edits are read; `isCut` says whether there are more. */
export const reportedEditsMax = 500;
const pageSize = 50;

/** Entries of a run that may edit files, complete and in order. */
export type ReportedEdits = {
  entries: LogEntry[];
  isCut: boolean;
  /** The run had at least this many entries when these were read. */
  totalLogs: number;
  /** The same entries by the filter they were found with: reading again begins after them. */
  found: Record<string, LogEntry[]>;
};

/**
 * Calls of tools that edit files, and of shells with a patch, in a run with at least `totalLogs` entries. For runs that another
 * system reports, of which no diff is stored. Read again, it reads only what is new.
 */
export function reportedEditsQuery(source: TraceSource, totalLogs: number, transport: Transport = browserTransport) {
  const queryKey = [...traceKey(source), "reported-edits"];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<ReportedEdits> => {
      const before = client.getQueryData<ReportedEdits>(queryKey)?.found ?? {};
      const { items } = await callTrace(source, "getLogTools", { signal }, transport);
      // Names with a comma cannot be part of a list.
      const names = items.map(({ tool_name }) => tool_name).filter((name) => !name.includes(","));
      const ofKind = (...kinds: string[]) => names.filter((name) => kinds.includes(toolKindOf(name))).join(",");
      const filters: Filter[] = [
        { tool_name: ofKind("edit") },
        { tool_name: ofKind("shell", "generic"), q: "*** Begin Patch" },
      ];
      const found: ReportedEdits["found"] = {};
      for (const filter of filters.filter(({ tool_name }) => tool_name !== "")) {
        const name = JSON.stringify(filter);
        found[name] = await readAfter(before[name] ?? [], async (skip) => {
          const query = { ...filter, skip, limit: pageSize };
          return (await callTrace(source, "getLogs", { query, signal }, transport)).logs;
        });
      }
      const lists = Object.values(found);
      const bySeq = new Map(lists.flat().map((entry) => [entry.seq, entry]));
      const entries = [...bySeq.values()].sort((one, other) => one.seq - other.seq);
      return { entries, isCut: lists.some(({ length }) => length >= reportedEditsMax), totalLogs, found };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type Filter = { tool_name: string; q?: string };

/** The matching entries that are known, and those after them. Entries are immutable, so the known ones stay the first. */
async function readAfter(known: LogEntry[], read: (skip: number) => Promise<LogEntry[]>): Promise<LogEntry[]> {
  const entries = [...known];
  while (entries.length < reportedEditsMax) {
    const page = await read(entries.length);
    entries.push(...page);
    if (page.length < pageSize) break;
  }
  return entries;
}
