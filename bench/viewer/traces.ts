import type { ApiClient } from "../../e2e/api.ts";
import type { Product } from "../../e2e/product.ts";

/** A run of the measurement and its page. */
export type Trace = { runId: number; entries: number; url: string };

type ListedRun = { id: number; prompt: string; status: string; total_logs: number };

/** The trace of so many entries on this product: the one that is there, else a new one by `errand bench seed`. */
export async function openTrace(product: Product, api: ApiClient, entries: number): Promise<Trace> {
  const runId = (await findRun(api, entries)) ?? (await seed(product, entries));
  const run = (await api.ask("GET", `/agent/run/${runId}`)).body;
  // A measurement that was broken off may have left it live.
  if (run.status === "running") await api.ask("PATCH", `/agent/run/${runId}`, { status: "completed" });
  return { runId, entries: Number(run.total_logs), url: `${product.url}/runs/${runId}` };
}

async function findRun(api: ApiClient, entries: number): Promise<number | null> {
  const { body } = await api.ask("GET", "/agent/runs?limit=100");
  // The contract says what stands in a page of runs.
  const runs = body.items as ListedRun[];
  const wanted = `A trace of ${entries} entries, seed 1`;
  return runs.find(({ prompt, total_logs }) => prompt === wanted && total_logs >= entries)?.id ?? null;
}

async function seed(product: Product, entries: number): Promise<number> {
  process.stderr.write(`bench:viewer: making a trace of ${entries} entries …\n`);
  return Number(await product.cli("bench", "seed", "--entries", String(entries)));
}
