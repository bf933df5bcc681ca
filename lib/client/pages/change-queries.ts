import { queryOptions } from "@tanstack/react-query";
import { browserTransport, call } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/**
 * A run's changes for display, since a turn or all of them (0): a unified diff without the contents of binary files, empty if nothing
 * changed.
 */
export function diffQuery(orgId: number, runId: number, sinceTurn = 0, transport = browserTransport) {
  return queryOptions({
    queryKey: [...diffKey(orgId, runId), sinceTurn],
    queryFn: ({ signal }) =>
      call(
        "getDiff",
        {
          params: { org_id: orgId, agent_run_id: runId },
          query: sinceTurn === 0 ? { binary: "false" } : { binary: "false", since_turn: sinceTurn },
          signal,
        },
        transport,
      ),
    structuralSharing: false,
  });
}

/** Key of all diffs of a run. */
export function diffKey(orgId: number, runId: number) {
  return [...queryKeys.run(orgId, runId), "diff"];
}

/** Key of all files of a run's work as they are now, after the last turn that has ended. */
export function presentFilesKey(orgId: number, runId: number) {
  return [...workFilesKey(orgId, runId), null];
}

function workFilesKey(orgId: number, runId: number) {
  return [...queryKeys.run(orgId, runId), "file"];
}

/** A file of a run's work: now, or when a turn had ended (0: before the first). */
export function workFileQuery(orgId: number, runId: number, { path, turn }: { path: string; turn: number | null }) {
  return queryOptions({
    queryKey: [...workFilesKey(orgId, runId), turn, path],
    queryFn: ({ signal }) =>
      call("getWorkFile", {
        params: { org_id: orgId, agent_run_id: runId },
        query: turn === null ? { path } : { path, turn },
        signal,
      }),
    // Its content is part of an open page, so a file of megabytes need not stay cached.
    gcTime: 60_000,
  });
}
