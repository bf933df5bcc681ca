import { setTimeout as wait } from "node:timers/promises";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { wideRates, withContestants } from "./compare.ts";
import { type Memory, memoryOf, openPage } from "./footprint.ts";
import { print } from "./report.ts";

const restMs = 60_000;
const megabyte = 1024 * 1024;
/** Between two rounds of use, in ms: somebody reads what came. */
const pauseMs = 1000;

type Contestant = { name: string; product: Product; api: ApiClient; cookie: string; seeded: number; large: number };

/**
 * `npm run bench -- hour [COMMIT] [MINUTES]`: memory of all processes after minutes (default 10) of mixed use and a minute of rest:
 * runs, reports of agents elsewhere, pages of entries, large ones too, exports, searches, and pages in a browser; here and at a commit
 * (`-`: none), both at once.
 */
export async function benchHour(commit: string | null, minutes = 10): Promise<void> {
  await withContestants(commit, async (places) => {
    const contestants: Contestant[] = [];
    try {
      for (const [name, at] of places) contestants.push(await open(name, at));
      await wait(restMs);
      const before = await Promise.all(contestants.map(({ product }) => memoryOf(product)));
      const until = performance.now() + minutes * 60_000;
      const rounds = contestants.map(() => 0);
      while (performance.now() < until) {
        for (const [at, contestant] of contestants.entries()) {
          await use(contestant, rounds[at] ?? 0);
          rounds[at] = (rounds[at] ?? 0) + 1;
        }
        await wait(pauseMs);
      }
      await wait(restMs);
      const rows: string[][] = [];
      for (const [at, { name, product }] of contestants.entries()) {
        rows.push([name, "idle after the start", ...shown(before[at] ?? [])]);
        rows.push([name, `after ${rounds[at]} rounds of use and a minute of rest`, ...shown(await memoryOf(product))]);
      }
      print(`Memory (proportional) after ${minutes} minutes of mixed use`, rows);
    } finally {
      await Promise.all(contestants.map(({ product }) => product.stop()));
    }
  });
}

function shown(memory: Memory[]): string[] {
  const all = memory.reduce((sum, { proportional }) => sum + proportional, 0);
  return [
    `${all.toFixed(0)} MB`,
    memory.map(({ name, proportional }) => `${name} ${proportional.toFixed(0)}`).join(", "),
  ];
}

async function open(name: string, at: string): Promise<Contestant> {
  const product = await Product.start(wideRates, undefined, undefined, at);
  const api = await ApiClient.create(product);
  const cookie = await openPage(product);
  const seeded = Number(await product.cli("bench", "seed", "--entries", "5000"));
  const { body } = await api.ask("POST", "/agent/run", { prompt: "Large outputs", agent: "external" });
  const large = Number(body.id);
  for (let batch = 0; batch < 4; batch += 1) await append(api, large, 25, "x".repeat(megabyte));
  await api.ask("PATCH", `/agent/run/${large}`, { status: "completed" });
  return { name, product, api, cookie, seeded, large };
}

async function append(api: ApiClient, run: number, count: number, output: string): Promise<void> {
  const entries = Array.from({ length: count }, (_, at) => ({
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: `step ${at}` },
    tool_output: { exit_code: 0, output },
  }));
  await api.ask("POST", `/agent/run/${run}/logs`, { entries });
}

/** One round of what people, agents and scripts do; every tenth one reads what is large. */
async function use({ product, api, cookie, seeded, large }: Contestant, round: number): Promise<void> {
  const read = async (path: string) => void (await (await api.fetch(path)).arrayBuffer());
  const page = async (path: string) =>
    void (await (await fetch(`${product.url}${path}`, { headers: { cookie } })).arrayBuffer());
  const { body: run } = await api.ask("POST", "/agent/run", { agent: "steps", prompt: "```sh\necho hello\n```" });
  const { body: elsewhere } = await api.ask("POST", "/agent/run", { prompt: "Elsewhere", agent: "external" });
  await append(api, Number(elsewhere.id), 100, `line of round ${round}\n`.repeat(50));
  await api.ask("PATCH", `/agent/run/${elsewhere.id}`, { status: "completed" });
  for (let at = 0; at < 5; at += 1)
    await read(`/agent/run/${seeded}/logs?limit=100&skip=${((round * 5 + at) % 50) * 100}`);
  await read(`/agent/run/${seeded}/logs/search?q=lease`);
  await read(`/search?q=round%20${round}`);
  await read("/agent/runs?limit=100");
  for (const path of ["/runs", `/runs/${seeded}`, `/runs/${run.id}`]) await page(path);
  if (round % 10 !== 0) return;
  await read(`/agent/run/${large}/logs?limit=100`);
  await read(`/agent/run/${large}/logs?limit=100&clip=400`);
  for (const format of ["json", "html"]) await read(`/agent/run/${seeded}/export?format=${format}`);
}
