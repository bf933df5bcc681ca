import type { LogFilter } from "#lib/contract/logs/log-filter.ts";
import { lowerBound } from "#lib/lower-bound.ts";
import { kinds } from "#lib/store/entries/entry-blocks.ts";
import { traits } from "#lib/store/entries/entry-facts.ts";
import type { EntryMarks } from "#lib/store/entries/entry-store.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Store } from "#lib/store/store.ts";

/** Entries checked at once. */
const pieceEntries = 131_072;

/** Filter criteria other than text. */
export type MarkFilter = Omit<LogFilter, "q">;

/** Seqs of a run's entries that match a filter, in order. Entries never change, so only new ones are checked again. */
export class FilteredSeqs {
  readonly #runId: number;
  readonly #filter: MarkFilter;
  readonly #isWantedKind: Uint8Array;
  #upto = 0;
  #count = 0;
  #seqs = new Uint32Array(64);

  constructor(runId: number, filter: MarkFilter) {
    this.#runId = runId;
    this.#filter = filter;
    this.#isWantedKind = wantedKinds(filter);
  }

  /** Matching entries among 1 … `total`. The array is read-only. */
  async get(store: Store, access: Access, total: number): Promise<Uint32Array> {
    if (this.#upto < total) {
      // A tool gets its number before the run counts its entry.
      const isWantedTool = await this.#wantedTools(store, access);
      while (this.#upto < total) {
        const first = this.#upto + 1;
        const last = Math.min(total, this.#upto + pieceEntries);
        const marks = await store.entries.marks(access, this.#runId, { first, last });
        if (marks.count === 0) break;
        // A simultaneous request may have been faster.
        if (this.#upto === first - 1) this.#add(marks, isWantedTool);
      }
    }
    return this.#seqs.subarray(0, lowerBound(this.#seqs, total + 1, 0, this.#count));
  }

  get bytes(): number {
    return this.#seqs.byteLength + 500;
  }

  /** Null if any tool will do. */
  async #wantedTools(store: Store, access: Access): Promise<Uint8Array | null> {
    const { tool_name: wanted } = this.#filter;
    if (wanted === undefined) return null;
    const names = await store.entries.tools(access, this.#runId);
    // A tool's name may contain a comma, so look for known names in the list rather than split it.
    const isWanted = (name: string) => name !== "" && `,${wanted},`.includes(`,${name},`);
    const codes = new Uint8Array(2 ** 16);
    for (const [code, name] of names.entries()) codes[code] = name !== undefined && isWanted(name) ? 1 : 0;
    return codes;
  }

  #add({ first, count, kinds: codes, tools, traits: bits }: EntryMarks, isWantedTool: Uint8Array | null): void {
    const found = new Uint32Array(count);
    const isWantedKind = this.#isWantedKind;
    const { prose } = this.#filter;
    let more = 0;
    for (let index = 0; index < count; index += 1) {
      const kind = codes[index] ?? 0;
      if (isWantedKind[kind] === 0) continue;
      if (isWantedTool !== null && isWantedTool[tools[index] ?? 0] === 0) continue;
      if (prose && isSilentKind[kind] === 1 && ((bits[index] ?? 0) & traits.thought) === 0) continue;
      found[more] = first + index;
      more += 1;
    }
    if (this.#count + more > this.#seqs.length) {
      const wider = new Uint32Array(Math.max(this.#count + more, this.#seqs.length * 2));
      wider.set(this.#seqs.subarray(0, this.#count));
      this.#seqs = wider;
    }
    this.#seqs.set(found.subarray(0, more), this.#count);
    this.#count += more;
    this.#upto = first + count - 1;
  }
}

function wantedKinds({ message_type: types, errors }: MarkFilter): Uint8Array {
  const wanted = new Uint8Array(256);
  for (const { code, messageType, isError } of kinds) {
    if ((types?.includes(messageType) ?? true) && (isError || !errors)) wanted[code] = 1;
  }
  return wanted;
}

/** 1 for entries whose thought alone makes them prose: every other type is a message, a plan, an answer or an error. */
const isSilentKind = new Uint8Array(256);
for (const { code, messageType } of kinds) if (messageType === "ACTION") isSilentKind[code] = 1;
