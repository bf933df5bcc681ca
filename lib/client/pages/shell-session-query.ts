import { queryOptions } from "@tanstack/react-query";
import { toolKindOf, toolViewOf } from "#lib/entry/read-tool-view.ts";
import { leftSessionOf } from "#lib/entry/shell-session.ts";
import type { ToolView } from "#lib/entry/tool-view.ts";
import { callTrace, type TraceSource, traceKey } from "./trace-source.ts";

/** The step that started a shell session, and its command. */
export type SessionStart = { seq: number; command: string };

/** Sessions started earlier than this many shell calls ago are not searched for. */
const callsMax = 100;
const clip = 2_000;

/**
 * The call that started the shell session continued by the entry `seq`; null if it is not found. Read once: entries never
 * change.
 */
export function shellSessionQuery(source: TraceSource, session: string, seq: number) {
  return queryOptions({
    queryKey: [...traceKey(source), "shell-session", session, seq],
    queryFn: async ({ signal }): Promise<SessionStart | null> => {
      const { items } = await callTrace(source, "getLogTools", { signal });
      const shells = items.map(({ tool_name }) => tool_name).filter(isShell);
      if (shells.length === 0) return null;
      const filter = { tool_name: shells.join(",") };
      const { skip: before } = await callTrace(source, "getLogPosition", { query: { ...filter, seq }, signal });
      const skip = Math.max(0, before - callsMax);
      if (before === 0) return null;
      const query = { ...filter, skip, limit: before - skip, clip };
      const { logs } = await callTrace(source, "getLogs", { query, signal });
      const start = logs.findLast((entry) => {
        const view = toolViewOf(entry);
        return isNewCommand(view) && leftSessionOf(entry.tool_output) === session;
      });
      const view = start === undefined ? null : toolViewOf(start);
      return start === undefined || view?.kind !== "shell" ? null : { seq: start.seq, command: view.command };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Names with a comma cannot be part of a list. */
function isShell(toolName: string): boolean {
  return toolKindOf(toolName) === "shell" && !toolName.includes(",");
}

function isNewCommand(view: ToolView): boolean {
  return view.kind === "shell" && view.continues === null;
}
