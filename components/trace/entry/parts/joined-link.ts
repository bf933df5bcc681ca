import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { entryView } from "./entry-meaning.ts";

/**
 * The entry after an agent call, if it links to the run started by the call: the call's card then shows the link. Otherwise null.
 */
export function joinedLinkOf(entry: LogEntry | null, next: LogEntry | null): LogEntry | null {
  if (entry === null || next === null || next.message_type !== "AGENT_RUN_LINK") return null;
  if (entry.message_type !== "ACTION" || next.seq !== entry.seq + 1) return null;
  return entryView(entry).kind === "agent" ? next : null;
}
