import { type NewEntry, newEntry, toolCallIdMax } from "#lib/contract/logs/entry.ts";
import { Progress } from "#lib/contract/runs/progress.ts";
import { JsonObject } from "#lib/contract/text.ts";
import { instantOf, millisecondsOf } from "#lib/store/instant.ts";

/**
 * Closing entries of a turn whose engine stopped without notice: an ACTION with status `interrupted` for each tool last seen
 * running, then the ERROR. `progress` is the last known progress, or null; `lastEntryAt` is the time of the run's last entry:
 * older progress may already be part of it and is left out.
 */
export function engineDiedEntries(progress: unknown, lastEntryAt: number | null, nowMs: number): NewEntry[] {
  const seen = Progress.safeParse(progress).data;
  const isPast = seen === undefined || millisecondsOf(seen.updated_at) <= (lastEntryAt ?? 0);
  const tools = isPast ? [] : seen.tools;
  const said = isPast ? null : [seen.thought, seen.text].filter((text) => text !== "").join("\n\n") || null;
  const created_at = instantOf(nowMs);
  const actions = tools.map(
    (tool, at): NewEntry => ({
      created_at,
      message_type: "ACTION",
      tool_call_id: tool.id.slice(0, toolCallIdMax) || null,
      thought: at === 0 ? said : null,
      tool_name: tool.tool_name,
      tool_input: JsonObject.safeParse(tool.tool_input).data ?? { title: tool.title },
      tool_output: { status: "interrupted", ...(tool.output === "" ? {} : { output: tool.output }) },
      observation: null,
    }),
  );
  const message =
    "The engine that worked on this run stopped unexpectedly. What this turn changed is in the checkout, and may not be in the branch yet. Resume the run to continue and to save it.";
  const error = newEntry("ERROR", created_at, {
    thought: tools.length === 0 ? said : null,
    observation: { code: "interrupted", message },
  });
  return [...actions, error];
}
