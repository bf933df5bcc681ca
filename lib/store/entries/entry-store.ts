import type { Access } from "#lib/store/runs/access.ts";
import type { Window } from "#lib/store/window.ts";

/** Reads the entries of runs. */
export type EntryStore = {
  /**
   * One page of stored entry bodies as JSON, joined by commas without brackets: the bytes of the response, in pieces. Oldest
   * first: seq in skip+1 … skip+limit; reverse: newest first, seq in total-skip … total-skip-limit+1. Costs the same at any skip.
   * The caller has checked that the run is visible (RunStore.find with the same access); `access` is checked again in the same read.
   */
  readPage(
    access: Access,
    runId: number,
    page: Window & { reverse: boolean; totalLogs: number },
  ): Promise<Uint8Array[]>;
  /**
   * Single bodies (each the JSON text of one entry) with `seq > after`, oldest first, at most `limit` and about `bytesMax`, at
   * least one.
   */
  readAfter(access: Access, runId: number, after: number, limit: number, bytesMax: number): Promise<StoredEntry[]>;
  /** The whole entry as JSON text, or null. */
  find(access: Access, runId: number, seq: number): Promise<string | null>;
  /**
   * Divides the entries from seq `first` to `last` (inclusive, both of the run) into equal parts, in order; one entry per part
   * if there are fewer entries. Reads at most one byte per entry (for a run read before, only for new ones) and two times per
   * part. Empty if first > last.
   */
  outline(
    access: Access,
    runId: number,
    range: { first: number; last: number; buckets: number },
  ): Promise<OutlinedEntries[]>;
  /**
   * Facts of the entries from seq `first` to `last`, as many as exist (up to the run's newest). Reads 16 bytes per entry and no
   * bodies: a million entries take some 50 ms and 16 MB, so read a long run in pieces.
   */
  facts(access: Access, runId: number, range: { first: number; last: number }): Promise<EntryFactsRange>;
  /** {@link facts} without the times: a sixth of the reading. */
  marks(access: Access, runId: number, range: { first: number; last: number }): Promise<EntryMarks>;
  /** Hash of each entry's tool call id, 0 for none (entry-facts.ts): what {@link findToolCall} searches. */
  calls(access: Access, runId: number, range: { first: number; last: number }): Promise<Uint16Array>;
  /** Seq of the first entry of the range with this tool call id, or null. */
  findToolCall(
    access: Access,
    runId: number,
    toolCallId: string,
    range: { first: number; last: number },
  ): Promise<number | null>;
  /** Entries by seq (at most 100), in the order of the seqs, from the first on: about `bytesMax`, at least one. */
  readChosen(access: Access, runId: number, seqs: readonly number[], bytesMax: number): Promise<StoredEntry[]>;
  /** Those of the entries (at most 100) that have more bytes than this. */
  findLarge(access: Access, runId: number, seqs: readonly number[], bytes: number): Promise<Set<number>>;
  /** Names of the run's tools by number (the number is the index; "" at 0, and for tools beyond the 65,534th). */
  tools(access: Access, runId: number): Promise<string[]>;
};

/** Facts of entries as columns: index 0 is the entry with seq `first`. */
export type EntryMarks = {
  first: number;
  count: number;
  /** Type codes: see `kinds` of entry-blocks.ts. */
  kinds: Uint8Array;
  /** Tool numbers, 0 for none. */
  tools: Uint16Array;
  /** Bits: see `traits` of entry-facts.ts. */
  traits: Uint8Array;
};

/** {@link EntryMarks} with the times. */
export type EntryFactsRange = EntryMarks & {
  /** created_at in milliseconds since 1970. */
  times: Float64Array;
  /** Milliseconds the tool took, 0 if unknown (the trait `timed` distinguishes the two). */
  durations: Uint32Array;
};

/** Part of a run: number of entries by type, number of failures, and the times of its first and last entry. */
export type OutlinedEntries = {
  first: number;
  last: number;
  /** By message_type; only types that occur. */
  counts: Record<string, number>;
  errors: number;
  firstError: number | null;
  lastError: number | null;
  firstAt: string;
  lastAt: string;
};

/** An entry as it is stored: the JSON text of it. */
export type StoredEntry = { seq: number; body: string };
