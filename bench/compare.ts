import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { loadHttp } from "./http-load.ts";
import { processorMs } from "./processor-time.ts";
import { median, print } from "./report.ts";

const rounds = 8;
const loadMs = 2000;
const batches = 20;
const batchEntries = 200;
const echoes = 5;
/** Worse is more than this many times the other commit's processor time, or its wall time, in both orders. */
const bounds = { cpuMs: 1.05, wallMs: 1.15 };

/** Of one request, entry or run. */
type Cost = { cpuMs: number; wallMs: number };
type Contestant = { name: string; product: Product; api: ApiClient; token: string; runId: string };
type Work = (contestant: Contestant) => Promise<{ wallMs: number; count: number }>;

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

/**
 * `npm run bench -- compare COMMIT`: the service as it is here and at a commit, both running, by turns and in both orders. Counts the
 * processor time of web and engine. Exits with 1 if something is worse.
 */
export async function benchCompare([commit, ...rest]: string[]): Promise<void> {
  if (commit === undefined || rest.length > 0) {
    process.stderr.write("errand: npm run bench -- compare COMMIT\n");
    process.exitCode = 2;
    return;
  }
  await withCommit(commit, async (folder) => {
    const open: Product[] = [];
    try {
      const contestants: Contestant[] = [];
      for (const [name, at] of [
        [commit, folder],
        ["here", root],
      ] as const) {
        const product = await Product.start(wideRates, undefined, undefined, at);
        open.push(product);
        const token = await product.cli("token", "create", "--name", "load", "--role", "owner");
        const runId = await product.cli("bench", "seed", "--entries", "5000");
        contestants.push({ name, product, token, runId, api: await ApiClient.create(product) });
      }
      const worse: string[] = [];
      const rows: string[][] = [];
      for (const [what, work] of Object.entries(works)) {
        const { row, isWorse } = await compare(what, work, contestants);
        rows.push(row);
        if (isWorse) worse.push(what);
      }
      print(`here, compared with ${commit} (median of ${rounds} rounds, in turn)`, rows);
      print(worse.length === 0 ? "Nothing is worse in both orders." : `Worse in both orders: ${worse.join(", ")}`, []);
      process.exitCode = worse.length === 0 ? 0 : 1;
    } finally {
      await Promise.all(open.map((product) => product.stop()));
    }
  });
}

/** Gives `use` a folder with the project as it was at a commit, built. */
async function withCommit(commit: string, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "errand-compare-"));
  try {
    await run("git", ["clone", "--quiet", "--no-checkout", root, folder]);
    const { stdout } = await run("git", ["rev-parse", "--verify", `${commit}^{commit}`], { cwd: root });
    await run("git", ["checkout", "--quiet", "--detach", stdout.trim()], { cwd: folder });
    await run(process.execPath, [join("scripts", "run.mjs"), "build"], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives `use` the names and folders of what is compared: the project at a commit (null: none), built, and as it is here. */
export async function withContestants(
  commit: string | null,
  use: (places: [name: string, folder: string][]) => Promise<void>,
): Promise<void> {
  const here: [string, string] = ["here", root];
  if (commit === null) await use([here]);
  else await withCommit(commit, (folder) => use([[commit, folder], here]));
}

export const wideRates = {
  ERRAND_RATE_STANDARD: "1000000",
  ERRAND_RATE_LOGS: "1000000",
  ERRAND_RATE_INGEST: "1000000",
  ERRAND_RATE_CREATE: "1000000",
};

const requesting =
  (path: (contestant: Contestant, at: number) => string): Work =>
  async (contestant) => {
    const urls = Array.from(
      { length: 50 },
      (_, at) => `${contestant.product.url}/v1/organizations/1${path(contestant, at)}`,
    );
    const startedAt = performance.now();
    const { requests } = await loadHttp(urls, { token: contestant.token, durationMs: loadMs });
    return { wallMs: performance.now() - startedAt, count: requests };
  };

const works: Record<string, Work> = {
  "GET run": requesting(({ runId }) => `/agent/run/${runId}`),
  "GET runs": requesting(() => "/agent/runs?limit=50"),
  "GET logs, 100 entries": requesting(({ runId }, at) => `/agent/run/${runId}/logs?skip=${at * 100}&limit=100`),
  "find in a run": requesting(({ runId }) => `/agent/run/${runId}/logs/search?q=lease%20cursor`),
  "POST logs, an entry, indexed": ingest,
  "a run of one echo": echo,
};

async function ingest({ api, product }: Contestant): Promise<{ wallMs: number; count: number }> {
  const { body } = await api.ask("POST", "/agent/run", { prompt: "Elsewhere", agent: "external" });
  const entries = Array.from({ length: batchEntries }, (_, index) => ({
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: `step ${index}` },
    tool_output: { exit_code: 0, output: `line ${index} of an output that is searched later\n`.repeat(40) },
  }));
  const startedAt = performance.now();
  for (let batch = 0; batch < batches; batch += 1) await api.ask("POST", `/agent/run/${body.id}/logs`, { entries });
  // Another commit's index may have another format; this table is the same in all.
  const index = new DatabaseSync(join(product.dataDir, "search.db"), { readOnly: true });
  const progress = index.prepare("select indexed_seq from progress where run_id = ?");
  while (Number(progress.get(Number(body.id))?.indexed_seq ?? 0) < batches * batchEntries) await wait(20);
  index.close();
  await api.ask("PATCH", `/agent/run/${body.id}`, { status: "completed" });
  return { wallMs: performance.now() - startedAt, count: batches * batchEntries };
}

async function echo({ api }: Contestant): Promise<{ wallMs: number; count: number }> {
  const startedAt = performance.now();
  for (let count = 0; count < echoes; count += 1) {
    const { body } = await api.ask("POST", "/agent/run", { agent: "steps", prompt: "```sh\necho hello\n```" });
    for (let status = ""; status !== "completed"; await wait(20)) {
      status = String((await api.ask("GET", `/agent/run/${body.id}`)).body.status);
    }
  }
  return { wallMs: performance.now() - startedAt, count: echoes };
}

/** Every contestant once per round, each order equally often; a round before them warms up. */
async function compare(
  what: string,
  work: Work,
  contestants: Contestant[],
): Promise<{ row: string[]; isWorse: boolean }> {
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      const cost = await measure(work, contestant);
      if (round >= 0) costs.get(contestant.name)?.push(cost);
    }
  }
  const [before = [], here = []] = [...costs.values()];
  const ratio = (field: keyof Cost, of: (round: number) => boolean) => {
    const medianOf = (some: Cost[]) => median(some.filter((_, round) => of(round)).map((cost) => cost[field]));
    return medianOf(here) / medianOf(before);
  };
  const orders = [(round: number) => round % 2 === 0, (round: number) => round % 2 === 1];
  const isWorse = (["cpuMs", "wallMs"] as const).some((field) =>
    orders.every((of) => ratio(field, of) > bounds[field]),
  );
  const shown = (field: keyof Cost) =>
    `${ratio(field, () => true).toFixed(3)} (${orders.map((of) => ratio(field, of).toFixed(3)).join(", ")})`;
  const micros = (median(here.map(({ cpuMs }) => cpuMs)) * 1000).toFixed(0);
  return {
    row: [what, `processor ${shown("cpuMs")}`, `wall ${shown("wallMs")}`, `${micros} µs`, isWorse ? "WORSE" : ""],
    isWorse,
  };
}

async function measure(work: Work, contestant: Contestant): Promise<Cost> {
  const before = await spent(contestant.product);
  const { wallMs, count } = await work(contestant);
  return { cpuMs: ((await spent(contestant.product)) - before) / count, wallMs: wallMs / count };
}

async function spent(product: Product): Promise<number> {
  const processes = (await product.processes()).filter(({ name }) => name !== "supervisor");
  const times = await Promise.all(processes.map(({ pid }) => processorMs(pid)));
  return times.reduce((sum, ms) => sum + ms, 0);
}
