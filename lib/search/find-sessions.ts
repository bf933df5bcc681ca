import { Lru } from "#lib/lru.ts";
import { FindSession } from "./find-session.ts";
import type { LogScanner } from "./find-threads.ts";

const bytesMax = 64 * 1024 * 1024;
const sessionsMax = 200;

/** The searches of a process, kept while there is room: who asks again for the same goes on where it stands. */
export class FindSessions {
  readonly #scanner: LogScanner;
  readonly #sessions = new Lru<string, FindSession>({
    count: sessionsMax,
    weight: bytesMax,
    weigh: ({ bytes }) => bytes,
    grows: true,
  });

  constructor(scanner: LogScanner) {
    this.#scanner = scanner;
  }

  /** The search for a text in a run, begun where there is none. */
  of(runId: number, q: string): FindSession {
    const needle = q.toLowerCase();
    return this.#sessions.obtain(`${runId} ${needle}`, () => new FindSession(this.#scanner, runId, needle));
  }
}
