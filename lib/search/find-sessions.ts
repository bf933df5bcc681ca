import { Lru } from "#lib/lru.ts";
import { FindSession, type SearchedLog } from "./find-session.ts";

const bytesMax = 64 * 1024 * 1024;
const sessionsMax = 200;

/** The searches of a process, kept while there is room: who asks again for the same goes on where it stands. */
export class FindSessions {
  readonly #sessions = new Lru<string, FindSession>({
    count: sessionsMax,
    weight: bytesMax,
    weigh: ({ found }) => found.bytes,
    grows: true,
  });

  /** The search for a text in a log, begun where there is none. `name` tells logs apart: it is of one run, or of one link. */
  of(name: string, q: string, open: () => SearchedLog): FindSession {
    const needle = q.toLowerCase();
    return this.#sessions.obtain(`${name} ${needle}`, () => new FindSession(open(), needle));
  }
}
