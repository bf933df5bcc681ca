import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import type { StoreFigures } from "#lib/store/runs/figures.ts";

/** An engine with a heartbeat within this time is alive. */
export const engineAliveMs = 30_000;

/** How long a reading is reused: it costs a scan of every run, and anyone on this machine may ask. */
const keptMs = 2000;

type Read = { figures: StoreFigures; progress: { indexed: number; all: number } | null; engines: number };

/** Figures from the store and the index, at most 2 s old; one reading at a time. */
export class StoreFiguresReader {
  #kept: { at: number; reading: Promise<Read> } | null = null;

  /** Throws if the store cannot be read; the error goes to those waiting for it and is not cached. */
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
  const [figures, progress, engines] = await Promise.all([
    store.figures.read(),
    scanner.progress(),
    store.queue.countEngines(engineAliveMs),
  ]);
  return { figures, progress, engines };
}
