import type { Access } from "./access.ts";
import type { Dialect } from "./dialect.ts";
import { blockId, placeInBlock } from "./entry-blocks.ts";
import type { EntryStore } from "./store.ts";
import { isVisible } from "./visible-run.ts";

/** What is kept of entries beside them, for ranges of seqs: see {@link EntryStore.facts}. */
export function factsReader({ reader, readAll, joinedBytes }: Dialect): Pick<EntryStore, "facts" | "tools"> {
  const blocks = reader
    .selectFrom(
      reader
        .selectFrom("entry_blocks")
        .select(["kinds", "tools", "traits"])
        .where("entry_blocks.id", ">=", 0)
        .where("entry_blocks.id", "<=", 0)
        .where(isVisible)
        .orderBy("entry_blocks.id")
        .as("block"),
    )
    .select([joinedBytes("kinds").as("kinds"), joinedBytes("tools").as("tools"), joinedBytes("traits").as("traits")])
    .compile();
  const spans = reader
    .selectFrom(
      reader
        .selectFrom("entry_spans")
        .select(["times", "durations"])
        .where("entry_spans.id", ">=", 0)
        .where("entry_spans.id", "<=", 0)
        .where(isVisible)
        .orderBy("entry_spans.id")
        .as("span"),
    )
    .select([joinedBytes("times").as("times"), joinedBytes("durations").as("durations")])
    .compile();
  const tools = reader
    .selectFrom("run_tools")
    .select(["code", "name"])
    .where("run_id", "=", 0)
    .where(isVisible)
    .compile();

  const parametersOf = ({ organizationId }: Access, runId: number, first: number, last: number) => [
    blockId(runId, first),
    blockId(runId, last),
    runId,
    organizationId,
  ];

  return {
    async facts(access, runId, { first, last }) {
      const parameters = parametersOf(access, runId, first, Math.max(first, last));
      // The spans are read first: where entries are appended meanwhile, the blocks know all of them.
      const [span] = await readAll(spans, parameters);
      const [block] = await readAll(blocks, parameters);
      const start = placeInBlock(first);
      const known = (span?.durations?.length ?? 0) / 4 - start;
      const count = Math.max(0, Math.min(last - first + 1, known));
      const cut = (bytes: Uint8Array | null | undefined, width: number) =>
        alignedBytes(bytes ?? nothing, start * width, count * width);
      return {
        first,
        count,
        kinds: cut(block?.kinds, 1),
        tools: new Uint16Array(cut(block?.tools, 2).buffer),
        traits: cut(block?.traits, 1),
        times: new Float64Array(cut(span?.times, 8).buffer),
        durations: new Uint32Array(cut(span?.durations, 4).buffer),
      };
    },

    async tools({ organizationId }, runId) {
      const rows = await readAll(tools, [runId, runId, organizationId]);
      const names: string[] = [""];
      for (const { code, name } of rows) names[code] = name;
      return names;
    },
  };
}

/** A copy that begins a buffer of its own, as wider numbers need it. */
function alignedBytes(bytes: Uint8Array, start: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.subarray(start, start + length));
}

const nothing = new Uint8Array();
