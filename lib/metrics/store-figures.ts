import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import type { StoreFigures } from "#lib/store/figures.ts";

/** An engine that said so in this time is alive. */
export const engineAliveMs = 30_000;

/** How long what was read is told again: it costs a look at every run, and anybody on this machine may ask. */
const keptMs = 2000;

type Read = { figures: StoreFigures; standing: { indexed: number; all: number } | null; engines: number };

/** What the store and the index know, at most 2 s old; one reading at a time. */
export class StoreFiguresReader {
  #kept: { at: number; reading: Promise<Read> } | null = null;

  /** Throws where the store cannot be read; that is told to those who wait for it, and not kept. */
  read(runtime: Pick<HttpRuntime, "store" | "scanner" | "now">): Promise<Read> {
    const at = runtime.now().getTime();
    if (this.#kept !== null && Math.abs(at - this.#kept.at) < keptMs) return this.#kept.reading;
    const kept = { at, reading: read(runtime) };
    this.#kept = kept;
    kept.reading.catch(() => {
      if (this.#kept === kept) this.#kept = null;
    });
    return kept.reading;
  }
}

async function read({ store, scanner }: Pick<HttpRuntime, "store" | "scanner">): Promise<Read> {
  const [figures, standing, engines] = await Promise.all([
    store.figures.read(),
    scanner.standing(),
    store.queue.countEngines(engineAliveMs),
  ]);
  return { figures, standing, engines };
}
