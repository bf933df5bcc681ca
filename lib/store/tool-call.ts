import { sql } from "kysely";
import { z } from "zod";
import type { Access } from "./access.ts";
import type { Dialect } from "./dialect.ts";
import { callHash } from "./entry-facts.ts";
import { entryId } from "./entry-id.ts";
import type { EntryStore } from "./entry-store.ts";
import { isVisible } from "./visible-run.ts";

/** How many entries are looked through at once. */
const pieceEntries = 262_144;
/** A body begins with this much at most before its thought: an id has at most 200 characters, each six at most as JSON. */
const headCharacters = 1500;
const head =
  /^\{"agent_run_id":\d+,"seq":\d+,"created_at":"[^"]*","message_type":"\w+","tool_call_id":("(?:[^"\\]|\\.)*")/;

/** See {@link EntryStore.findToolCall}. */
export function toolCallFinder({ reader, readAll }: Dialect, calls: EntryStore["calls"]): EntryStore["findToolCall"] {
  const heads = reader
    .selectFrom("entries")
    .select(sql<string>`substr(body, 1, ${sql.lit(headCharacters)})`.as("head"))
    .where("entries.id", "=", 0)
    .where(isVisible)
    .compile();

  async function readId({ organizationId }: Access, runId: number, seq: number): Promise<string | null> {
    const [row] = await readAll(heads, [entryId(runId, seq), runId, organizationId]);
    const id = head.exec(row?.head ?? "")?.[1];
    return id === undefined ? null : z.string().parse(JSON.parse(id));
  }

  return async (access, runId, toolCallId, { first, last }) => {
    const hash = callHash(toolCallId);
    for (let from = first; from <= last; from += pieceEntries) {
      const hashes = await calls(access, runId, { first: from, last: Math.min(last, from + pieceEntries - 1) });
      for (let at = hashes.indexOf(hash); at !== -1; at = hashes.indexOf(hash, at + 1)) {
        if ((await readId(access, runId, from + at)) === toolCallId) return from + at;
      }
    }
    return null;
  };
}
