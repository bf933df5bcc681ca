import { parseExactJson } from "#lib/contract/exact-json.ts";
import { LogEntry } from "#lib/contract/logs/entry.ts";
import { outcomeOf } from "#lib/entry/outcome.ts";
import { isErrorEntry } from "./entry-text.ts";
import { showsTerminal } from "./shows-terminal.ts";
import { terminalText } from "./terminal-text.ts";

const clippedFields = ["thought", "tool_input", "tool_output", "observation"] as const;

/**
 * Entry (JSON text) with every string cut at `charactersMax` UTF-16 units, never inside a character; `clipped` lists
 * the paths of cut strings: `tool_output.output`. Longer output is first reduced to what a terminal would finally show, and
 * cut only if that is still too long. An entry without longer strings is returned unchanged.
 */
export function clipEntry(entry: string, charactersMax: number): string {
  // No string inside can be longer than the whole text.
  if (entry.length <= charactersMax) return entry;
  const { clipped, changed } = clip(LogEntry.parse(parseExactJson(entry)), charactersMax);
  return changed ? JSON.stringify(clipped) : entry;
}

/** {@link clipEntry} for a parsed entry, which is changed in place. */
export function clipParsed(entry: LogEntry, charactersMax: number): LogEntry {
  return clip(entry, charactersMax).clipped;
}

function clip(entry: LogEntry, charactersMax: number): { clipped: LogEntry; changed: boolean } {
  const cuts: Cuts = { paths: [], changed: false };
  // How a call ended is often visible only at the end of its output.
  const outcome = entry.outcome ?? (entry.message_type === "ACTION" ? outcomeOf(entry) : undefined);
  for (const field of clippedFields) {
    const isOutput = field === "observation" ? isErrorEntry(entry) : field === "tool_output";
    const isTerminal = isOutput && showsTerminal(entry);
    clipIn(entry, field, { charactersMax, isTerminal, cuts });
  }
  const { paths, changed } = cuts;
  if (paths.length === 0) return { clipped: entry, changed };
  return { clipped: { ...entry, clipped: paths, ...(outcome !== undefined && { outcome }) }, changed };
}

type Cuts = { paths: string[]; changed: boolean };
type Holder = Record<string | number, unknown>;
type Clipping = { charactersMax: number; isTerminal: boolean; cuts: Cuts };

function clipIn(holder: object, field: string, { charactersMax, isTerminal, cuts }: Clipping): void {
  const waiting: { holder: object; key: string; path: string }[] = [{ holder, key: field, path: field }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const values = next.holder as Holder;
    const value = values[next.key];
    if (typeof value === "string" && value.length > charactersMax) {
      const shown = isTerminal ? terminalText(value) : value;
      values[next.key] = shown.length > charactersMax ? cut(shown, charactersMax) : shown;
      if (shown.length > charactersMax) cuts.paths.push(next.path);
      cuts.changed ||= values[next.key] !== value;
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.keys(value).reverse()) {
        waiting.push({ holder: value, key: inner, path: `${next.path}.${inner}` });
      }
    }
  }
}

function cut(text: string, charactersMax: number): string {
  const last = text.charCodeAt(charactersMax - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? charactersMax - 1 : charactersMax);
}
