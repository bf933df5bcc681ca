import type { LogPosition, LogPositionQuery } from "#lib/contract/logs/log-position.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow } from "#lib/store/store.ts";
import type { FoundSeqs } from "./find-seqs.ts";
import { findMatching, type ReadContext, type SeqRange } from "./matching-logs.ts";

/** Position of an entry in a run, or in part of one, that the caller may see. */
export async function findPosition(
  context: ReadContext,
  access: Access,
  run: Pick<RunRow, "id" | "totalLogs">,
  { seq, tool_call_id: call, ...filter }: LogPositionQuery,
  range: SeqRange = { first: 1, last: run.totalLogs },
  search?: (q: string) => Promise<FoundSeqs>,
): Promise<LogPosition> {
  const matching = await findMatching(context, access, run, filter, range, search);
  const { count, complete } = matching;
  const wanted = call === undefined ? seq : await context.store.entries.findToolCall(access, run.id, call, range);
  // A call that does not exist is placed after all entries, like any position past the end.
  const skip = wanted === undefined || wanted === null ? count : matching.countBefore(wanted);
  return { skip, seq: skip < count ? matching.seqAt(skip) : null, matching_logs: count, complete };
}
