import type { Dialect } from "#lib/store/dialect.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { type VisibleRun, visibleRun } from "#lib/store/runs/visible-run.ts";
import { statement } from "#lib/store/statement.ts";
import { blockId, placeInBlock } from "./entry-blocks.ts";
import type { EntryStore } from "./entry-store.ts";

/** Block rows by first and last key. */
type Between = VisibleRun & { first: number; last: number };
const between = `id >= :first and id <= :last and ${visibleRun}`;

const tools = statement<VisibleRun, { code: number; name: string }>(
  `select code, name from run_tools where run_id = :run and ${visibleRun}`,
);

/** Facts of entries for ranges of seqs: see {@link EntryStore.facts}. */
export function factsReader({
  readAll,
  joinedBytes,
}: Dialect): Pick<EntryStore, "facts" | "marks" | "tools" | "calls"> {
  const blocks = statement<Between, Record<"kinds" | "tools" | "traits", Uint8Array | null>>(`
    select ${joinedBytes("kinds")} as kinds, ${joinedBytes("tools")} as tools, ${joinedBytes("traits")} as traits
    from (select kinds, tools, traits from entry_blocks where ${between} order by id) as block`);
  const spans = statement<Between, Record<"times" | "durations", Uint8Array | null>>(`
    select ${joinedBytes("times")} as times, ${joinedBytes("durations")} as durations
    from (select times, durations from entry_spans where ${between} order by id) as span`);
  const calls = statement<Between, { calls: Uint8Array | null }>(
    `select ${joinedBytes("calls")} as calls from (select calls from entry_spans where ${between} order by id) as span`,
  );

  const given = ({ organizationId }: Access, runId: number, { first, last }: Range): Between => ({
    first: blockId(runId, first),
    last: blockId(runId, Math.max(first, last)),
    run: runId,
    organization: organizationId,
  });

  async function marks(access: Access, runId: number, range: Range) {
    const [block] = await readAll(blocks, given(access, runId, range));
    const { start, count } = placeOf(range, block?.kinds?.length ?? 0);
    return {
      first: range.first,
      count,
      kinds: cut(block?.kinds, start, count, 1),
      tools: new Uint16Array(cut(block?.tools, start, count, 2).buffer),
      traits: cut(block?.traits, start, count, 1),
    };
  }

  return {
    marks,

    async facts(access, runId, range) {
      // Read the spans first: if entries are appended in the meantime, the blocks cover all of them.
      const [span] = await readAll(spans, given(access, runId, range));
      const { start, count } = placeOf(range, (span?.durations?.length ?? 0) / 4);
      const marked = await marks(access, runId, { first: range.first, last: range.first + count - 1 });
      return {
        ...marked,
        times: new Float64Array(cut(span?.times, start, count, 8).buffer),
        durations: new Uint32Array(cut(span?.durations, start, count, 4).buffer),
      };
    },

    async calls(access, runId, range) {
      const [span] = await readAll(calls, given(access, runId, range));
      const { start, count } = placeOf(range, (span?.calls?.length ?? 0) / 2);
      return new Uint16Array(cut(span?.calls, start, count, 2).buffer);
    },

    async tools({ organizationId }, runId) {
      const rows = await readAll(tools, { run: runId, organization: organizationId });
      const names: string[] = [""];
      for (const { code, name } of rows) names[code] = name;
      return names;
    },
  };
}

type Range = { first: number; last: number };

/** Where a range begins in the blocks read, and how many of its entries they contain. */
function placeOf({ first, last }: Range, known: number): { start: number; count: number } {
  const start = placeInBlock(first);
  return { start, count: Math.max(0, Math.min(last - first + 1, known - start)) };
}

/** A copy with its own buffer, as wider numbers need the alignment. */
function cut(bytes: Uint8Array | null | undefined, start: number, count: number, width: number) {
  return new Uint8Array((bytes ?? nothing).subarray(start * width, (start + count) * width));
}

const nothing = new Uint8Array();
