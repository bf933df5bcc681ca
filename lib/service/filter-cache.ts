import { Lru } from "#lib/lru.ts";
import { FilteredSeqs, type MarkFilter } from "./filtered-seqs.ts";

const bytesMaxDefault = 32 * 1024 * 1024;

/** What filters left of runs, as it was asked for last: at most so many bytes of it. */
export class FilterCache {
  readonly #kept: Lru<string, FilteredSeqs>;

  constructor(bytesMax = bytesMaxDefault) {
    this.#kept = new Lru({ weight: bytesMax, weigh: ({ bytes }) => bytes, grows: true });
  }

  /** What the filter leaves of the run, empty where it was not asked for before. */
  of(runId: number, { message_type, tool_name, errors, prose }: MarkFilter): FilteredSeqs {
    const filter = { message_type, tool_name, errors, prose };
    return this.#kept.obtain(`${runId} ${JSON.stringify(filter)}`, () => new FilteredSeqs(runId, filter));
  }

  get size(): number {
    return this.#kept.size;
  }
}
