import type { LogEntry } from "#lib/contract/entry.ts";
import { type Matched, snippetOf } from "#lib/contract/entry-text.ts";
import type { FindHit } from "#lib/contract/find.ts";

/** An entry with what of it matched. */
export function presentHit(entry: LogEntry, match: Matched, matches: number): FindHit {
  const { snippet, start, length } = snippetOf(match);
  return {
    seq: entry.seq,
    message_type: entry.message_type,
    tool_name: entry.tool_name,
    field: match.path,
    snippet,
    snippet_start: start,
    snippet_length: length,
    matches,
  };
}
