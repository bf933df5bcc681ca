import type { LogTools } from "#lib/contract/logs/log-tools.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow } from "#lib/store/store.ts";
import type { ReadContext, SeqRange } from "./matching-logs.ts";

/** Entries checked at once. */
const pieceEntries = 131_072;

/** Number of entries per tool in a run, or part of one, without those of `hidden` type codes; most used first. */
export async function countTools(
  { store }: Pick<ReadContext, "store">,
  access: Access,
  run: Pick<RunRow, "id" | "totalLogs">,
  range: SeqRange = { first: 1, last: run.totalLogs },
  hidden: ReadonlySet<number> = new Set(),
): Promise<LogTools> {
  const names = await store.entries.tools(access, run.id);
  const counts = new Uint32Array(2 ** 16);
  for (let first = range.first; first <= range.last; first += pieceEntries) {
    const last = Math.min(range.last, first + pieceEntries - 1);
    const { tools, kinds } = await store.entries.marks(access, run.id, { first, last });
    // By index: four times as fast as iterating over values.
    for (let index = 0; index < tools.length; index += 1)
      if (!hidden.has(kinds[index] ?? 0)) counts[tools[index] ?? 0] = (counts[tools[index] ?? 0] ?? 0) + 1;
  }
  const items = names.flatMap((tool_name, code) => {
    const count = counts[code] ?? 0;
    return tool_name === "" || count === 0 ? [] : [{ tool_name, count }];
  });
  const byName = (one: string, other: string) => (one < other ? -1 : 1);
  return { items: items.sort((a, b) => b.count - a.count || byName(a.tool_name, b.tool_name)) };
}
