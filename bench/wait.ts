import { setTimeout as wait } from "node:timers/promises";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { wideRates, withContestants } from "./compare.ts";
import { loadHttp } from "./http-load.ts";
import { processorMs } from "./processor-time.ts";
import { median, print, quantile } from "./report.ts";

const rounds = 3;
const readers = 4;
const searchers = 64;
const queued = 6000;
const megabyte = 1024 * 1024;
/** Runs that others read: how many entries of how many characters. */
const largeRuns = { "100 of 1 MB": [100, megabyte], "24 of 25 MB": [24, 25 * megabyte] } as const;
const searched = { runs: 40, entries: 250 };

type Contestant = { name: string; product: Product; api: ApiClient; token: string; large: Record<string, number> };

/** `npm run bench -- wait [COMMIT]`: what others wait for while large pages, exports, lists and searches are asked for, by turns. */
export async function benchWait(commit: string | null): Promise<void> {
  await withContestants(commit, async (places) => {
    const contestants: Contestant[] = [];
    try {
      for (const [name, at] of places) contestants.push(await open(name, at));
      const rows: string[][] = [];
      for (const [what, measure] of Object.entries(measures)) {
        const figures = new Map(contestants.map(({ name }) => [name, [] as number[]]));
        for (let round = 0; round < rounds; round += 1) {
          for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed())
            figures.get(contestant.name)?.push(await measure(contestant));
        }
        for (const [name, some] of figures) rows.push([what, name, `${median(some).toFixed(1)} ms`]);
      }
      print(`What others wait for (median of ${rounds} rounds, in turn)`, rows);
    } finally {
      await Promise.all(contestants.map(({ product }) => product.stop()));
    }
  });
}

async function open(name: string, at: string): Promise<Contestant> {
  const settings = { ...wideRates, ERRAND_QUEUE_MAX: "0", ERRAND_CONCURRENCY: "1" };
  const product = await Product.start(settings, undefined, undefined, at);
  const api = await ApiClient.create(product);
  const token = await product.cli("token", "create", "--name", "load", "--role", "owner");
  const large: Record<string, number> = {};
  for (const [key, [count, length]] of Object.entries(largeRuns)) {
    large[key] = await externalRun(api, count, () => linesOf(length), 25 * megabyte);
  }
  for (let run = 0; run < searched.runs; run += 1) {
    await externalRun(api, searched.entries, (at) => `needle ${run} in a line of output ${at}\n`.repeat(10), megabyte);
  }
  await indexed(api);
  // One run keeps the only place, and the others wait behind it.
  for (let at = 0; at <= queued; at += 1)
    await api.ask("POST", "/agent/run", { agent: "steps", prompt: "```sh\nsleep 3600\n```" });
  return { name, product, api, token, large };
}

/** Output as of a long build. */
function linesOf(length: number): string {
  let lines = "";
  for (let at = 0; lines.length < length; at += 1)
    lines += `[${at}] compiled module ${at % 977} in ${(at * 7919) % 300} ms\n`;
  return lines.slice(0, length);
}

/** A run of an agent elsewhere, with entries of commands; sent in batches of about `batchBytes`. */
async function externalRun(
  api: ApiClient,
  count: number,
  outputAt: (at: number) => string,
  batchBytes: number,
): Promise<number> {
  const { body } = await api.ask("POST", "/agent/run", { prompt: "Elsewhere", agent: "external" });
  const atOnce = Math.max(1, Math.floor(batchBytes / outputAt(0).length));
  for (let first = 0; first < count; first += atOnce) {
    const entries = Array.from({ length: Math.min(atOnce, count - first) }, (_, at) => ({
      message_type: "ACTION",
      tool_name: "shell",
      tool_input: { command: `step ${first + at}` },
      tool_output: { exit_code: 0, output: outputAt(first + at) },
    }));
    await api.ask("POST", `/agent/run/${body.id}/logs`, { entries });
  }
  await api.ask("PATCH", `/agent/run/${body.id}`, { status: "completed" });
  return Number(body.id);
}

/** Waits until the search has read everything. */
async function indexed(api: ApiClient): Promise<void> {
  for (;;) {
    const { body } = await api.ask("GET", "/search?q=needle&limit=1");
    if ((body.indexed as { behind_logs: number }).behind_logs === 0) return;
    await wait(200);
  }
}

const measures: Record<string, (contestant: Contestant) => Promise<number>> = {
  "healthz p99, nobody else": (contestant) => beside(contestant, async () => wait(3000)),
  "healthz p99 beside 4 readers of 100 x 1 MB": (contestant) =>
    beside(contestant, () => reading(contestant, `/agent/run/${contestant.large["100 of 1 MB"]}/logs?limit=100`)),
  "healthz p99 beside 4 readers of 24 x 25 MB": (contestant) =>
    beside(contestant, () => reading(contestant, `/agent/run/${contestant.large["24 of 25 MB"]}/logs?limit=100`)),
  "healthz p99 beside 4 readers of 24 x 25 MB, cut": (contestant) =>
    beside(contestant, () =>
      reading(contestant, `/agent/run/${contestant.large["24 of 25 MB"]}/logs?limit=100&clip=400`),
    ),
  "healthz p99 beside 4 exports of 100 x 1 MB": (contestant) =>
    beside(contestant, () => reading(contestant, `/agent/run/${contestant.large["100 of 1 MB"]}/export`)),
  "healthz p99 beside 4 exports of 24 x 25 MB": (contestant) =>
    beside(contestant, () => reading(contestant, `/agent/run/${contestant.large["24 of 25 MB"]}/export`)),
  [`processor of a list of 100 with ${queued} queued`]: async (contestant) => {
    const web = (await contestant.product.processes()).find(({ name }) => name === "web");
    const before = await processorMs(web?.pid);
    const urls = [urlOf(contestant, "/agent/runs?limit=100")];
    const { requests } = await loadHttp(urls, { token: contestant.token, connections: 1, durationMs: 3000 });
    return ((await processorMs(web?.pid)) - before) / requests;
  },
  [`search p50 with ${searchers} clients`]: async ({ product, token }) => {
    const times: number[] = [];
    const until = performance.now() + 8000;
    const one = async (client: number) => {
      for (let at = 0; performance.now() < until; at += 1) {
        const startedAt = performance.now();
        const url = `${product.url}/v1/organizations/1/search?q=needle%20${(client * 7 + at) % searched.runs}`;
        const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`the search answered ${answer.status}`);
        times.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: searchers }, (_, client) => one(client)));
    return quantile(times, 0.5);
  },
};

const urlOf = ({ product }: Contestant, path: string) => `${product.url}/v1/organizations/1${path}`;

async function reading(contestant: Contestant, path: string): Promise<void> {
  const { token } = contestant;
  await loadHttp([urlOf(contestant, path)], { token, connections: readers, durationMs: 4000 });
}

/** 99th percentile of the time that a short request takes while `work` goes on, in ms. */
async function beside({ product }: Contestant, work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    await (await fetch(`${product.url}/healthz`)).arrayBuffer();
    times.push(performance.now() - startedAt);
    await wait(5);
  }
  await working;
  return quantile(times, 0.99);
}
