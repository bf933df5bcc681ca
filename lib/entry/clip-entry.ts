import { LogEntry } from "#lib/contract/logs/entry.ts";
import { outcomeOf } from "#lib/entry/outcome.ts";

const clippedFields = ["thought", "tool_input", "tool_output", "observation"] as const;

/**
 * Entry (JSON text) with every string cut at `charactersMax` UTF-16 units, never inside a character; `clipped` lists
 * the paths of cut strings: `tool_output.output`. An entry with nothing to cut is returned unchanged.
 */
export function clipEntry(entry: string, charactersMax: number): string {
  // No string inside can be longer than the whole text.
  if (entry.length <= charactersMax) return entry;
  const clipped = clipParsed(LogEntry.parse(JSON.parse(entry)), charactersMax);
  return clipped.clipped === undefined ? entry : JSON.stringify(clipped);
}

/** {@link clipEntry} for a parsed entry, which is changed in place. */
export function clipParsed(entry: LogEntry, charactersMax: number): LogEntry {
  const clipped: string[] = [];
  // How a call ended is often visible only at the end of its output.
  const outcome = entry.outcome ?? (entry.message_type === "ACTION" ? outcomeOf(entry) : undefined);
  for (const field of clippedFields) clipIn(entry, field, field, charactersMax, clipped);
  if (clipped.length === 0) return entry;
  return outcome === undefined ? { ...entry, clipped } : { ...entry, clipped, outcome };
}

type Holder = Record<string | number, unknown>;

function clipIn(holder: object, key: string, path: string, charactersMax: number, clipped: string[]): void {
  const waiting: { holder: object; key: string; path: string }[] = [{ holder, key, path }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const values = next.holder as Holder;
    const value = values[next.key];
    if (typeof value === "string" && value.length > charactersMax) {
      values[next.key] = cut(value, charactersMax);
      clipped.push(next.path);
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
