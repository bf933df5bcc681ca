import { setTimeout as delay } from "node:timers/promises";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { median, print, quantile } from "./report.ts";

const rounds = 3;
const measuredMs = 6000;
const pauseMs = 20;

/** Scripts that take all of one resource, for a limited time and within what a shared machine can spare. */
const bombs = {
  processes: "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 60",
  memory:
    'node -e "const held = []; setInterval(() => { if (held.length < 40) held.push(Buffer.alloc(1e8, 1)); }, 10)"',
  disk: "while :; do head -c 2G /dev/zero > big; rm big; done",
  processor: "for i in $(seq 64); do (while :; do :; done) & done; wait",
};

/**
 * What a run that exhausts the machine costs others: how long appends to another run take beside it, and whether the API answers.
 */
export async function benchBombs(): Promise<void> {
  const user: Record<string, string> = process.getuid?.() === 0 ? { ERRAND_AGENT_USER: "54321:54321" } : {};
  const product = await Product.start({
    ERRAND_ISOLATION: "wall",
    ERRAND_CONCURRENCY: "1",
    ERRAND_RATE_INGEST: "0",
    ...user,
  });
  try {
    const api = await ApiClient.create(product);
    const { body } = await api.ask("POST", "/agent/run", { prompt: "Beside bombs", agent: "external" });
    const entry = {
      message_type: "ACTION",
      tool_name: "Bash",
      tool_input: { command: "make" },
      tool_output: { output: "x".repeat(2000) },
    };
    const refused: number[] = [];
    const measure = async () => {
      const times: number[] = [];
      for (const endsAt = Date.now() + measuredMs; Date.now() < endsAt; await delay(pauseMs)) {
        const from = performance.now();
        const { status } = await api.ask("POST", `/agent/run/${body.id}/logs`, { entries: [entry] });
        times.push(performance.now() - from);
        if (status !== 200) refused.push(status);
        const read = await api.ask("GET", "/agent/runs?limit=10");
        if (read.status !== 200) refused.push(read.status);
      }
      return times;
    };
    await measure();
    if (refused.length > 0) throw new Error(`Without a bomb the API answered ${refused[0]}`);
    const rows: string[][] = [];
    for (const [name, script] of Object.entries(bombs)) {
      const alone: number[][] = [];
      const beside: number[][] = [];
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await measure());
        const stop = await explode(api, script);
        beside.push(await measure());
        await stop();
      }
      const at = (all: number[][], share: number) => median(all.map((times) => quantile(times, share)));
      const cells = [0.5, 0.99].flatMap((share) => {
        const [before, after] = [at(alone, share), at(beside, share)];
        return [`${before.toFixed(1)} ms`, `${after.toFixed(1)} ms`, (after / before).toFixed(2)];
      });
      rows.push([name, ...cells]);
    }
    print(
      `Bombs: an append beside a run that takes ${Object.keys(bombs).join(", ")} (${rounds} x ${measuredMs / 1000} s, medians; bound: p99 2x; answers but 200: ${refused.length})`,
      [["", "p50 alone", "beside", "", "p99 alone", "beside", ""], ...rows],
    );
  } finally {
    await product.stop();
  }
}

/** Starts a run with this script. Returns a function that ends it. */
async function explode(api: ApiClient, script: string): Promise<() => Promise<void>> {
  const prompt = `\`\`\`sh\n${script}\n\`\`\``;
  const { body } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  const find = async () => (await api.ask("GET", `/agent/run/${body.id}`)).body;
  for (let logs = 0; logs === 0; logs = Number((await find()).total_logs)) await delay(100);
  await delay(500);
  return async () => {
    await api.ask("POST", `/agent/run/${body.id}/cancel`);
    while ((await find()).finished_at === null) await delay(100);
  };
}
