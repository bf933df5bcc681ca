import type { ApiClient } from "../../e2e/api.ts";
import type { Product } from "../../e2e/product.ts";

/** A run of the measurement and its page. */
export type Trace = { runId: number; entries: number; url: string };

type ListedRun = { id: number; prompt: string; status: string; total_logs: number };

/** The trace with this many entries on this product: an existing one, else a new one by `errand bench seed`. */
export async function openTrace(product: Product, api: ApiClient, entries: number, seed = 1): Promise<Trace> {
  const runId = (await findRun(api, entries, seed)) ?? (await makeRun(product, entries, seed));
  const run = (await api.ask("GET", `/agent/run/${runId}`)).body;
  // An aborted measurement may have left it running.
  if (run.status === "running") await api.ask("PATCH", `/agent/run/${runId}`, { status: "completed" });
  return { runId, entries: Number(run.total_logs), url: `${product.url}/runs/${runId}` };
}

/** A trace to append to: a separate one, except if it is so long that appending makes no difference. */
export function openGrowingTrace(product: Product, api: ApiClient, entries: number): Promise<Trace> {
  return openTrace(product, api, entries, entries >= 1_000_000 ? 1 : 2);
}

/** Earlier measurements must not have made it much longer than this. */
const growthMax = 1.2;

async function findRun(api: ApiClient, entries: number, seed: number): Promise<number | null> {
  const { body } = await api.ask("GET", "/agent/runs?limit=100");
  // The contract defines a page of runs.
  const runs = body.items as ListedRun[];
  const wanted = `A trace of ${entries} entries, seed ${seed}`;
  const found = runs.find(
    ({ prompt, total_logs }) => prompt === wanted && total_logs >= entries && total_logs <= entries * growthMax,
  );
  return found?.id ?? null;
}

async function makeRun(product: Product, entries: number, seed: number): Promise<number> {
  process.stderr.write(`bench:viewer: making a trace of ${entries} entries …\n`);
  return Number(await product.cli("bench", "seed", "--entries", String(entries), "--seed", String(seed)));
}
