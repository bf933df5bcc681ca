import type { LogsFilter } from "#lib/client/pages/filtered-log-queries.ts";
import type { FoundHits, HitsFrom } from "#lib/client/pages/find-filtered.ts";
import { startReading } from "./reading.fixture.ts";
import { TraceFinder } from "./trace-finder.ts";

type Start = { find?: string | null; entry?: number | null; filter?: LogsFilter | null };

/** A search in a run of 1,000 entries, five of them in view; the test controls the server and the clock. */
export function startFinding({ find = null, entry = null, filter = null }: Start = {}) {
  const reading = startReading({ entry, find });
  const asked: (PromiseWithResolvers<FoundHits> & { from: HitsFrom; limit: number; signal: AbortSignal })[] = [];
  const schedule = (callback: () => void, ms: number) => {
    const timer = { callback, ms };
    reading.timers.push(timer);
    return () => {
      const at = reading.timers.indexOf(timer);
      if (at !== -1) reading.timers.splice(at, 1);
    };
  };
  const finder = new TraceFinder({
    reader: reading.reader,
    ask: (_search, from, limit, signal) => {
      const question = { ...Promise.withResolvers<FoundHits>(), from, limit, signal };
      asked.push(question);
      return question.promise;
    },
    ...{ filter, schedule, initial: { find, entry } },
  });
  const stop = finder.connect();
  /** Answers the current search. */
  const found = (hits: FoundHits) => {
    const { search } = finder.snapshot;
    if (search !== null) finder.answered(search, hits, null);
  };
  return { ...reading, finder, asked, found, stop };
}

/** An answer with these hits, the first of them at rank `skip`, out of `of` hits. */
export function hitsOf(seqs: number[], { skip = 0, of = seqs.length, complete = true } = {}): FoundHits {
  const hit = { message_type: "ACTION", tool_name: null, field: "thought", snippet: "", snippet_start: 0 };
  return {
    ...{ q: "", total_logs: 1000, searched_logs: 1000, complete, matching_logs: of, matches: of, skip, buckets: [] },
    hits: seqs.map((seq) => ({ ...hit, seq, snippet_length: 0, matches: 1 })),
  };
}

/** The entry that the reader was taken to last. */
export function ledTo({ finder }: ReturnType<typeof startFinding>): number | undefined {
  return finder.snapshot.target?.seq;
}
