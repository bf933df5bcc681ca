import { fieldsOf, numberOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { isFailed } from "#lib/entry/outcome.ts";
import { millisecondsOf } from "#lib/store/instant.ts";
import { blockId, blockSize, kindOf, placeInBlock } from "./entry-blocks.ts";

/** Raised when entries are judged by another rule: runs of an earlier version are judged again (judge-again.ts). */
export const factsVersion = 1;

/** Properties of an entry, as bits of one byte. Stored: a bit never changes its meaning. */
export const traits = {
  /** A non-empty thought. */
  thought: 1,
  /** A non-empty observation. */
  observation: 2,
  /** Its tool reported a duration. */
  timed: 4,
} as const;

/** Facts stored separately from an entry, so that many can be surveyed without reading them. */
export type EntryFacts = {
  kind: string;
  isError: boolean;
  toolName: string | null;
  traits: number;
  /** Milliseconds since 1970. */
  time: number;
  /** `tool_output.duration_ms` as an integer, 0 … 2^32 - 1; 0 if unknown. */
  duration: number;
  /** See {@link callHash}. */
  call: number;
};

/** Facts of an entry. Throws a RangeError if `created_at` is not an instant. */
export function factsOf(entry: NewEntry): EntryFacts {
  const isError = isFailed(entry);
  return {
    kind: kindOf(entry.message_type, isError),
    isError,
    // An empty name counts as none.
    toolName: entry.tool_name || null,
    time: millisecondsOf(entry.created_at),
    call: callHash(entry.tool_call_id),
    ...measured({
      thought: entry.thought,
      observation: entry.observation,
      duration: fieldsOf(entry.tool_output).duration_ms,
    }),
  };
}

/** Traits and duration, from fields with any content. */
export function measured({ thought, observation, duration }: Record<"thought" | "observation" | "duration", unknown>): {
  traits: number;
  duration: number;
} {
  const timed = numberOf(duration);
  const isTimed = timed !== null && timed >= 0;
  return {
    traits:
      (isSaid(thought) ? traits.thought : 0) |
      (isSaid(observation) ? traits.observation : 0) |
      (isTimed ? traits.timed : 0),
    duration: isTimed ? Math.min(Math.round(timed), 2 ** 32 - 1) : 0,
  };
}

const isSaid = (value: unknown) => value !== null && value !== undefined && value !== "";

/**
 * Two-byte hash of a tool call's id, never 0; 0 for none. Finds candidate entries, whose bodies then prove the match: an index
 * of the ids, which are random, would cost more to write than the entries themselves.
 */
export function callHash(toolCallId: string | null | undefined): number {
  if (toolCallId === null || toolCallId === undefined) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < toolCallId.length; index += 1) {
    hash = Math.imul(hash ^ toolCallId.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) & 0xffff || 1;
}

/** A row of `entry_blocks` and one of `entry_spans`, or an addition to them. Numbers are little-endian. */
export type PackedBlock = {
  id: number;
  kinds: string;
  tools: Uint8Array;
  traits: Uint8Array;
  times: Uint8Array;
  durations: Uint8Array;
  calls: Uint8Array;
};

/** Splits facts of entries from seq `first` at block boundaries. `codes` maps each tool name to its number. */
export function* packFacts(
  runId: number,
  first: number,
  facts: readonly EntryFacts[],
  codes: ReadonlyMap<string, number>,
): Generator<PackedBlock> {
  for (let start = 0; start < facts.length; ) {
    const seq = first + start;
    const end = Math.min(start + blockSize - placeInBlock(seq), facts.length);
    const some = facts.slice(start, end);
    yield {
      id: blockId(runId, seq),
      kinds: some.map(({ kind }) => kind).join(""),
      tools: bytesOf(Uint16Array.from(some, ({ toolName }) => codeOf(toolName, codes))),
      traits: Uint8Array.from(some, (one) => one.traits),
      times: bytesOf(Float64Array.from(some, ({ time }) => time)),
      durations: bytesOf(Uint32Array.from(some, ({ duration }) => duration)),
      calls: bytesOf(Uint16Array.from(some, ({ call }) => call)),
    };
    start = end;
  }
}

function codeOf(toolName: string | null, codes: ReadonlyMap<string, number>): number {
  if (toolName === null) return 0;
  const code = codes.get(toolName);
  if (code === undefined) throw new Error(`The tool ${toolName} has no number`);
  return code;
}

function bytesOf({ buffer }: { buffer: ArrayBuffer }): Uint8Array {
  return new Uint8Array(buffer);
}
