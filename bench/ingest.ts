import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readIndexProgress } from "#lib/search/index-progress.ts";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { processorMs } from "./processor-time.ts";
import { median, print } from "./report.ts";

const entries = 100_000;
const lookMs = 50;
/** Texts in a seeded trace: in one entry, in most, as a phrase in one of a hundred, and a single letter. */
const queries = ["needle-37", "lease", "lease cursor", "e"];

/**
 * A trace reported through the API: how fast it is accepted, how far the index lags, and what searches through all of it then
 * cost.
 */
export async function benchIngest(): Promise<void> {
  const product = await Product.start();
  try {
    const api = await ApiClient.create(product);
    const before = await spent(product);
    const seeding = product.cli("bench", "seed", "--entries", String(entries));
    const { rate, lags } = await watchIndex(product.dataDir);
    const runId = await seeding;
    const after = await spent(product);
    const perEntry = (name: "web" | "engine") => `${(((after[name] - before[name]) * 1000) / entries).toFixed(0)} µs`;
    print(`${entries} entries of 2-6 KB, written by the API in batches`, [
      ["taken", `${rate.toFixed(0)} entries/s`],
      ["processor time an entry: web", perEntry("web")],
      ["engine, which indexes", perEntry("engine")],
      ["index behind by, median", `${(median(lags) / 1000).toFixed(2)} s`],
      ["index behind by, at most", `${(Math.max(...lags) / 1000).toFixed(2)} s`],
    ]);
    const logs = `/agent/run/${runId}/logs`;
    const rows: string[][] = [];
    for (const q of queries) {
      const path = `${logs}/search?q=${encodeURIComponent(q)}`;
      // A search continues between requests, so the first hit is requested first.
      const first = await timed(() => api.ask("GET", `${path}&limit=1&wait_ms=20`));
      const all = await timed(() => api.ask("GET", `${path}&wait_ms=20000`));
      rows.push([
        `find ${JSON.stringify(q)}`,
        `answer after 20 ms: ${first.toFixed(0)} ms`,
        `count: ${(first + all).toFixed(0)} ms`,
      ]);
    }
    for (const path of ["timeline", "outline?buckets=300"]) {
      const first = await timed(() => api.ask("GET", `${logs}/${path}`));
      const again = await timed(() => api.ask("GET", `${logs}/${path}`));
      rows.push([path, `first ${first.toFixed(0)} ms`, `again ${again.toFixed(0)} ms`]);
    }
    print("All of it at once", rows);
  } finally {
    await product.stop();
  }
}

/** Watches both files until everything is written and indexed. A lag is the age of the oldest entry not indexed yet. */
async function watchIndex(dataDir: string): Promise<{ rate: number; lags: number[] }> {
  const files = { storeFile: join(dataDir, "errand.db"), indexFile: join(dataDir, "search.db") };
  const lags: number[] = [];
  /** Numbers of entries over time, as long as not all of them are indexed. */
  let seen: { at: number; all: number }[] = [];
  let startedAt = 0;
  let endedAt = 0;
  for (;;) {
    const { indexed, all } = readIndexProgress(files) ?? { indexed: 0, all: 0 };
    const at = performance.now();
    if (all > 0 && startedAt === 0) startedAt = at;
    if (all >= entries && endedAt === 0) endedAt = at;
    if (all > (seen.at(-1)?.all ?? indexed)) seen.push({ at, all });
    seen = seen.filter((look) => look.all > indexed);
    if (all > 0) lags.push(at - (seen[0]?.at ?? at));
    if (all >= entries && indexed >= all) return { rate: (entries * 1000) / (endedAt - startedAt), lags };
    await wait(lookMs);
  }
}

async function spent(product: Product): Promise<{ web: number; engine: number }> {
  const found = { web: 0, engine: 0 };
  for (const { name, pid } of await product.processes())
    if (name !== "supervisor") found[name] = await processorMs(pid);
  return found;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
