import { stat } from "node:fs/promises";
import type { AgentProfile } from "./agent.ts";
import { readProfiles } from "./agents-file.ts";

/** The profiles of an installation; the agents file is read again when it has changed, or could not be used. */
export class LiveProfiles {
  readonly #file: string;
  readonly #known: AgentProfile[];
  readonly #onProblem: (message: string) => void;
  #current: AgentProfile[];
  #mark: string;
  #problem: string | null = null;

  private constructor(parts: {
    file: string;
    known: AgentProfile[];
    onProblem: (message: string) => void;
    current: AgentProfile[];
    mark: string;
  }) {
    this.#file = parts.file;
    this.#known = parts.known;
    this.#onProblem = parts.onProblem;
    this.#current = parts.current;
    this.#mark = parts.mark;
  }

  /** Reads the file; throws AgentsFileError if it is invalid. `onProblem` is called once for each later invalid version. */
  static async open(file: string, known: AgentProfile[], onProblem: (message: string) => void): Promise<LiveProfiles> {
    const mark = await markOf(file);
    return new LiveProfiles({ file, known, onProblem, current: await readProfiles(file, known), mark });
  }

  /** The profiles as they were last read. */
  get current(): AgentProfile[] {
    return this.#current;
  }

  /** Why the file as it was last read is not used; null if it is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The profiles of the file as it is now. While it is invalid, the previous ones apply. */
  async read(): Promise<AgentProfile[]> {
    const mark = await markOf(this.#file);
    const isKnown = mark === this.#mark;
    // The problem may be gone without a new mark: the file's permissions, or a path that it names.
    if (isKnown && this.#problem === null) return this.#current;
    this.#mark = mark;
    try {
      this.#current = await readProfiles(this.#file, this.#known);
      this.#problem = null;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (!isKnown || problem !== this.#problem) this.#onProblem(problem);
      this.#problem = problem;
    }
    return this.#current;
  }
}

async function markOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  return found === null ? "" : `${found.mtimeNs} ${found.size} ${found.ino}`;
}
