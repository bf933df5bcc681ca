import { foldCase } from "#lib/entry/fold-case.ts";
import { Lru } from "#lib/lru.ts";
import { FindSession, type SearchedLog } from "./find-session.ts";

const bytesMax = 64 * 1024 * 1024;
const sessionsMax = 200;

/** Searches of a process, kept while there is room: a repeated query continues where it left off. */
export class FindSessions {
  readonly #sessions = new Lru<string, FindSession>({
    count: sessionsMax,
    weight: bytesMax,
    weigh: ({ found }) => found.bytes,
    grows: true,
  });

  /** The search for a text in a log, started if there is none. `name` identifies the log: a run, or a link. */
  of(name: string, q: string, open: () => SearchedLog): FindSession {
    const needle = foldCase(q);
    return this.#sessions.obtain(`${name} ${needle}`, () => new FindSession(open(), needle));
  }
}
