import type { Denial } from "#lib/egress/denial.ts";
import { targetText } from "#lib/egress/resolve.ts";
import type { NewDenial } from "#lib/store/repositories/networks.ts";

const everyMs = 1000;
/** Kinds counted separately between two writes; further kinds are not counted. */
const kindsMax = 200;

/** Counts refused connections by host and reason, and writes them at most once a second. */
export class DenialNotes {
  readonly #write: (denials: NewDenial[]) => Promise<void>;
  readonly #counted = new Map<string, NewDenial>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  /** If `write` fails, what it was given is dropped. */
  constructor(write: (denials: NewDenial[]) => Promise<void>) {
    this.#write = write;
  }

  add(denial: Denial): void {
    const host = targetText(denial);
    const name = `${denial.rule} ${host}`;
    const counted = this.#counted.get(name);
    if (counted !== undefined) counted.count += 1;
    else if (this.#counted.size < kindsMax) this.#counted.set(name, { host, rule: denial.rule, count: 1 });
    this.#timer ??= setTimeout(() => void this.flush(), everyMs);
  }

  /** Writes the remaining ones. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const denials = [...this.#counted.values()];
    this.#counted.clear();
    if (denials.length > 0) {
      this.#writing = this.#writing.then(() => this.#write(denials)).catch(() => undefined);
    }
    await this.#writing;
  }
}
