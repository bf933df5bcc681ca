import { test as base } from "./test.ts";

/** The entries of the trace; the same in every run of the journeys (`errand bench seed`, seed 1). */
export const largeTraceEntries = 30_000;

/** Journeys on a long trace: made once a worker, written as any other system would write it. They only read it. */
export const test = base.extend<Record<never, never>, { largeTrace: { runId: number } }>({
  largeTrace: [
    async ({ product }, use) => {
      const printed = await product.cli("bench", "seed", "--entries", String(largeTraceEntries));
      await use({ runId: Number(printed) });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

export { expect } from "./test.ts";
