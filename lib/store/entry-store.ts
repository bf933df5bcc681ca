import type { Access } from "./access.ts";
import type { Window } from "./store.ts";

/** What is read of the entries of runs. */
export type EntryStore = {
  /**
   * One page of stored entry bodies as JSON, joined by commas without brackets: the bytes that the answer carries.
   * Oldest first: seq in skip+1 … skip+limit; reverse: newest first, seq in total-skip … total-skip-limit+1.
   * Costs the same at any skip. The caller has checked that the run is visible (RunStore.find with the same access);
   * `access` is checked again in the same read.
   */
  readPage(access: Access, runId: number, page: Window & { reverse: boolean; totalLogs: number }): Promise<Uint8Array>;
  /** Bodies one by one (each the JSON text of one entry), with `seq > after`, oldest first, at most `limit` and about `bytesMax`, at least one. */
  readAfter(access: Access, runId: number, after: number, limit: number, bytesMax: number): Promise<StoredEntry[]>;
  /** The whole entry as JSON text, or null. */
  find(access: Access, runId: number, seq: number): Promise<string | null>;
  /**
   * The entries from seq `first` to `last` (both included, both of the run) in so many equal parts, in order; one entry a part
   * where there are fewer entries. Reads at most one byte an entry (of a run that was read before,
   * only what has come since) and two times a part. Empty where first > last.
   */
  outline(
    access: Access,
    runId: number,
    range: { first: number; last: number; buckets: number },
  ): Promise<OutlinedEntries[]>;
  /**
   * The facts of the entries from seq `first` to `last`, as many of them as there are (up to the run's newest). Reads 16 bytes
   * an entry and no bodies: a million entries take some 50 ms and 16 MB, so who folds a long run asks for it in pieces.
   */
  facts(access: Access, runId: number, range: { first: number; last: number }): Promise<EntryFactsRange>;
  /** {@link facts} without the times, for six times less reading. */
  marks(access: Access, runId: number, range: { first: number; last: number }): Promise<EntryMarks>;
  /** A hash of each entry's tool call id, 0 for none (entry-facts.ts): what {@link findToolCall} looks through. */
  calls(access: Access, runId: number, range: { first: number; last: number }): Promise<Uint16Array>;
  /** The seq of the first entry of the range that has this tool call id, or null. */
  findToolCall(
    access: Access,
    runId: number,
    toolCallId: string,
    range: { first: number; last: number },
  ): Promise<number | null>;
  /** Entries by seq (at most 100), in the order of the seqs, from the first one on: about `bytesMax`, at least one. */
  readChosen(access: Access, runId: number, seqs: readonly number[], bytesMax: number): Promise<StoredEntry[]>;
  /** The names of the run's tools by number (the number is the index; "" at 0, and for tools beyond the 65,534th). */
  tools(access: Access, runId: number): Promise<string[]>;
};

/** Columns of what is known of entries: index 0 is the entry with seq `first`. */
export type EntryMarks = {
  first: number;
  count: number;
  /** Codes of characters: what each means is in `kinds` of entry-blocks.ts. */
  kinds: Uint8Array;
  /** Numbers of tools, 0 for none. */
  tools: Uint16Array;
  /** Bits: see `traits` of entry-facts.ts. */
  traits: Uint8Array;
};

/** {@link EntryMarks} with the times. */
export type EntryFactsRange = EntryMarks & {
  /** created_at in milliseconds since 1970. */
  times: Float64Array;
  /** Milliseconds that the tool took, 0 where it told nothing (the trait `timed` tells those apart). */
  durations: Uint32Array;
};

/** A part of a run: how many entries of which type, how many failed, and when its first and its last one were written. */
export type OutlinedEntries = {
  first: number;
  last: number;
  /** By message_type, only those that occur. */
  counts: Record<string, number>;
  errors: number;
  firstError: number | null;
  lastError: number | null;
  firstAt: string;
  lastAt: string;
};

/** An entry as it is stored: the JSON text of it. */
export type StoredEntry = { seq: number; body: string };
