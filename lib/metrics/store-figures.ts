import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import type { StoreFigures } from "#lib/store/figures.ts";

/** An engine that said so in this time is alive. */
export const engineAliveMs = 30_000;

/** How long what was read is told again: it costs a look at every run, and anybody on this machine may ask. */
const keptMs = 2000;

type Read = { figures: StoreFigures; standing: { indexed: number; all: number } | null; engines: number };

const kept = new WeakMap<HttpRuntime["store"], { at: number; reading: Promise<Read> }>();

/** What the store and the index know, at most 2 s old; one reading at a time. */
export function storeFigures(runtime: Pick<HttpRuntime, "store" | "scanner" | "now">): Promise<Read> {
  const at = runtime.now().getTime();
  const known = kept.get(runtime.store);
  if (known !== undefined && Math.abs(at - known.at) < keptMs) return known.reading;
  const reading = read(runtime);
  kept.set(runtime.store, { at, reading });
  // A failure is told to those who wait for it, and not kept.
  reading.catch(() => kept.delete(runtime.store));
  return reading;
}

async function read({ store, scanner }: Pick<HttpRuntime, "store" | "scanner">): Promise<Read> {
  const [figures, standing, engines] = await Promise.all([
    store.figures.read(),
    scanner.standing(),
    store.queue.countEngines(engineAliveMs),
  ]);
  return { figures, standing, engines };
}
