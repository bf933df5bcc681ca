import { z } from "zod";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { type VisibleRun, visibleRun } from "#lib/store/runs/visible-run.ts";
import { statement } from "#lib/store/statement.ts";
import { callHash } from "./entry-facts.ts";
import { entryId } from "./entry-id.ts";
import type { EntryStore } from "./entry-store.ts";

/** Entries examined at once. */
const pieceEntries = 262_144;
/** Most characters of a body before its thought: an id has at most 200 characters, each at most six in JSON. */
const headCharacters = 1500;
const head =
  /^\{"agent_run_id":\d+,"seq":\d+,"created_at":"[^"]*","message_type":"\w+","tool_call_id":("(?:[^"\\]|\\.)*")/;

const heads = statement<VisibleRun & { entry: number }, { head: string }>(
  `select substr(body, 1, ${headCharacters}) as head from entries where id = :entry and ${visibleRun}`,
);

/** See {@link EntryStore.findToolCall}. */
export function toolCallFinder({ readAll }: Dialect, calls: EntryStore["calls"]): EntryStore["findToolCall"] {
  async function readId({ organizationId }: Access, runId: number, seq: number): Promise<string | null> {
    const [row] = await readAll(heads, { entry: entryId(runId, seq), run: runId, organization: organizationId });
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
