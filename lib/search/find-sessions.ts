import { FindSession } from "./find-session.ts";
import type { LogScanner } from "./find-threads.ts";

const bytesMax = 64 * 1024 * 1024;
const sessionsMax = 200;

/** The searches of a process, kept while there is room: who asks again for the same goes on where it stands. */
export class FindSessions {
  readonly #scanner: LogScanner;
  /** Oldest use first. */
  readonly #sessions = new Map<string, FindSession>();

  constructor(scanner: LogScanner) {
    this.#scanner = scanner;
  }

  /** The search for a text in a run, begun where there is none. */
  of(runId: number, q: string): FindSession {
    const needle = q.toLowerCase();
    const key = `${runId} ${needle}`;
    const session = this.#sessions.get(key) ?? new FindSession(this.#scanner, runId, needle);
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    this.#makeRoom(session);
    return session;
  }

  #makeRoom(wanted: FindSession): void {
    let bytes = 0;
    for (const session of this.#sessions.values()) bytes += session.bytes;
    for (const [key, session] of this.#sessions) {
      if ((bytes <= bytesMax && this.#sessions.size <= sessionsMax) || session === wanted) return;
      this.#sessions.delete(key);
      bytes -= session.bytes;
    }
  }
}

const kept = new WeakMap<LogScanner, FindSessions>();

/** The one set of searches over a scanner. */
export function findSessionsOf(scanner: LogScanner): FindSessions {
  let sessions = kept.get(scanner);
  if (sessions === undefined) {
    sessions = new FindSessions(scanner);
    kept.set(scanner, sessions);
  }
  return sessions;
}
