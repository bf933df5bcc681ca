import { parseExactJson } from "#lib/contract/exact-json.ts";
import { LogEntry } from "#lib/contract/logs/entry.ts";
import { clipParsed } from "#lib/entry/clip-entry.ts";
import { outcomeOf } from "#lib/entry/outcome.ts";
import type { ShareRow } from "#lib/store/runs/shares.ts";
import { type KnownValues, type MaskCount, maskJson, maskText, maskTextForCut } from "./mask-secrets.ts";
import { type SharedRow, sharedRows, unknownRow } from "./shared-fields.ts";
import { sharedInput, shownOf } from "./shown-of.ts";

/** What a link shows, and the values that it masks wherever they are. */
export type Shows = Pick<ShareRow, "showsOutputs"> & { values: KnownValues };

/** Stored entry (JSON text) as a link shows it, with its strings cut at `clip` characters; null: uncut. */
export function presentSharedEntry(body: string, share: Shows, clip: number | null): string {
  return JSON.stringify(readSharedEntry(body, share, clip));
}

/**
 * {@link presentSharedEntry} as a value: what the link hides is removed, secrets are masked (by value and by form), then strings are cut.
 * Everything of an entry that leaves through a link passes through here.
 */
export function readSharedEntry(
  body: string,
  { showsOutputs, values }: Shows,
  clip: number | null,
  count: MaskCount = { masked: 0 },
): LogEntry {
  const entry = LogEntry.parse(parseExactJson(body));
  // Another run is not part of what is shared.
  if (!showsOutputs || entry.message_type === "AGENT_RUN_LINK") hideContents(entry);
  const mask = (text: string) =>
    clip === null ? maskText(text, count, values) : maskTextForCut(text, clip, count, values);
  maskJson(entry, mask, count);
  return clip === null ? entry : clipParsed(entry, clip);
}

/** Leaves what {@link sharedRows} names. How a tool call ended is judged before its output goes. */
function hideContents(entry: LogEntry): void {
  const { message_type, tool_input, tool_output } = entry;
  if (message_type === "ACTION") entry.outcome = outcomeOf(entry);
  const row = Object.hasOwn(sharedRows, message_type)
    ? sharedRows[message_type as keyof typeof sharedRows]
    : unknownRow;
  if (row.tool_input === "input") Object.assign(entry, sharedInput(entry));
  else entry.tool_input = objectOf(row.tool_input, tool_input);
  entry.tool_output = objectOf(row.tool_output, tool_output);
  for (const field of ["thought", "tool_name", "observation"] as const) {
    Object.assign(entry, { [field]: shownOf(row[field], entry[field]) ?? null });
  }
}

/** Where there was a value, cards expect an object, if only an empty one. */
function objectOf(shown: SharedRow["tool_input"], value: unknown): unknown {
  return value === null || shown === "hidden" ? null : (shownOf(shown, value) ?? {});
}
