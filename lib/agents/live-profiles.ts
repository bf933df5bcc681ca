import { stat } from "node:fs/promises";
import type { AgentProfile } from "./agent.ts";
import { readProfiles } from "./agents-file.ts";

/** The profiles of an installation; the agents file is read again when it has changed. */
export class LiveProfiles {
  readonly #file: string;
  readonly #known: AgentProfile[];
  readonly #onProblem: (message: string) => void;
  #current: AgentProfile[];
  #mark: string;

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

  /** The profiles of the file as it is now. While it is invalid, the previous ones apply. */
  async read(): Promise<AgentProfile[]> {
    const mark = await markOf(this.#file);
    if (mark === this.#mark) return this.#current;
    this.#mark = mark;
    try {
      this.#current = await readProfiles(this.#file, this.#known);
    } catch (error) {
      this.#onProblem(error instanceof Error ? error.message : String(error));
    }
    return this.#current;
  }
}

async function markOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  return found === null ? "" : `${found.mtimeNs} ${found.size} ${found.ino}`;
}
