import { Lru } from "#lib/lru.ts";
import { FilteredSeqs, type MarkFilter } from "./filtered-seqs.ts";

const bytesMaxDefault = 32 * 1024 * 1024;

/** Results of filters on runs, the most recently used ones, bounded by bytes. */
export class FilterCache {
  readonly #kept: Lru<string, FilteredSeqs>;

  constructor(bytesMax = bytesMaxDefault) {
    this.#kept = new Lru({ weight: bytesMax, weigh: ({ bytes }) => bytes, grows: true });
  }

  /** Entries of the run that match the filter; empty if this filter is new. */
  of(runId: number, { message_type, tool_name, errors, prose }: MarkFilter): FilteredSeqs {
    const filter = { message_type, tool_name, errors, prose };
    return this.#kept.obtain(`${runId} ${JSON.stringify(filter)}`, () => new FilteredSeqs(runId, filter));
  }

  get size(): number {
    return this.#kept.size;
  }
}
