import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { wideRates, withContestants } from "./compare.ts";
import { processorMs } from "./processor-time.ts";
import { median, print } from "./report.ts";

const run = promisify(execFile);
const files = 40;
const repositories = 8;
const concurrencies = [2, 8];
const runsEach = 16;
const rounds = 3;
/** What an agent does: nothing, or wait for half of a turn's time, as for a model. */
const prompts = { "do nothing": "true", "sleep 1 s": "sleep 1" };

type Contestant = { name: string; product: Product; api: ApiClient; ids: number[] };

/**
 * `npm run bench -- runs [COMMIT]`: trivial runs of the agent `steps`, here and at a commit, by turns: how many a minute at several
 * concurrencies, in one repository and in eight; processor time of all processes, and programs started (if there is `strace`).
 */
export async function benchRuns(commit: string | null): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "errand-bench-runs-"));
  try {
    const sources = await Promise.all(Array.from({ length: repositories }, (_, at) => repository(folder, at)));
    await withContestants(commit, async (places) => {
      for (const concurrency of concurrencies) {
        const title = `Trivial runs, ${concurrency} at once (median of ${rounds} rounds of ${runsEach} runs, in turn)`;
        print(title, await measureAt(concurrency, places, sources));
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function repository(folder: string, at: number): Promise<string> {
  const path = join(folder, `source-${at}`);
  await mkdir(path);
  for (let file = 0; file < files; file += 1) await writeFile(join(path, `file-${file}.txt`), `${at} ${file}\n`);
  const who = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
  await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd: path });
  await run("git", ["add", "."], { cwd: path });
  await run("git", [...who, "commit", "--quiet", "-m", "first"], { cwd: path });
  return path;
}

async function measureAt(concurrency: number, places: [string, string][], sources: string[]): Promise<string[][]> {
  const contestants: Contestant[] = [];
  try {
    for (const [name, at] of places) {
      const settings = { ...wideRates, ERRAND_CONCURRENCY: String(concurrency) };
      const product = await Product.start(settings, undefined, undefined, at);
      const ids: number[] = [];
      for (const source of sources) ids.push(Number(await product.cli("repo", "add", source)));
      contestants.push({ name, product, api: await ApiClient.create(product), ids });
    }
    const rows: string[][] = [];
    for (const [what, script] of Object.entries(prompts)) {
      for (const spread of [1, repositories]) {
        const costs = new Map(contestants.map(({ name }) => [name, { wallMs: [] as number[], cpuMs: [] as number[] }]));
        for (let round = -1; round < rounds; round += 1) {
          for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
            const cost = await runMany(contestant, script, contestant.ids.slice(0, spread));
            // The first round makes the mirrors.
            if (round < 0) continue;
            costs.get(contestant.name)?.wallMs.push(cost.wallMs);
            costs.get(contestant.name)?.cpuMs.push(cost.cpuMs);
          }
        }
        const where = spread === 1 ? "one repository" : `${spread} repositories`;
        for (const [name, { wallMs, cpuMs }] of costs) {
          const each = `${Math.round(60_000 / median(wallMs))} a minute`;
          rows.push([what, where, name, each, `${median(cpuMs).toFixed(0)} ms of processor`]);
        }
      }
    }
    if (concurrency !== concurrencies[0]) return rows;
    for (const contestant of contestants) {
      const count = await countPrograms(contestant);
      rows.push([
        "programs of a run",
        "",
        "one repository",
        contestant.name,
        count === null ? "no strace" : String(count),
      ]);
    }
    return rows;
  } finally {
    await Promise.all(contestants.map(({ product }) => product.stop()));
  }
}

/** The cost of one run, when many are started at once. Wall time is that of all, divided by their number. */
async function runMany(
  { product, api }: Contestant,
  script: string,
  ids: readonly number[],
): Promise<{ wallMs: number; cpuMs: number }> {
  const before = await spent(product);
  const startedAt = performance.now();
  const started: number[] = [];
  for (let at = 0; at < runsEach; at += 1) {
    const prompt = `\`\`\`sh\n${script}\n\`\`\``;
    const asked = await api.ask("POST", "/agent/run", { agent: "steps", prompt, repo_id: ids[at % ids.length] });
    started.push(Number(asked.body.id));
  }
  for (const id of started) await ended(api, id);
  const wallMs = (performance.now() - startedAt) / runsEach;
  return { wallMs, cpuMs: ((await spent(product)) - before) / runsEach };
}

async function ended(api: ApiClient, id: number): Promise<void> {
  for (;;) {
    const status = String((await api.ask("GET", `/agent/run/${id}`)).body.status);
    if (status === "completed") return;
    if (!["queued", "running", "active"].includes(status)) throw new Error(`Run ${id} is ${status}.`);
    await wait(50);
  }
}

/** Processor time of web and engine, and of the programs of the engine that have ended, in ms. Linux only. */
async function spent(product: Product): Promise<number> {
  const processes = (await product.processes()).filter(({ name }) => name !== "supervisor");
  const times = await Promise.all(processes.map(({ pid }) => processorMs(pid, { withChildren: true })));
  return times.reduce((sum, ms) => sum + ms, 0);
}

/** Programs that the engine and its descendants start for one run; null without `strace`. */
async function countPrograms({ product, api, ids }: Contestant): Promise<number | null> {
  const engine = (await product.processes()).find(({ name }) => name === "engine");
  const file = join(product.dataDir, "strace.txt");
  const how = ["-f", "-qq", "-e", "trace=execve", "-o", file, "-p", String(engine?.pid)];
  const tracer = spawn("strace", how, { stdio: "ignore" });
  const failed = await Promise.race([once(tracer, "error").then(() => true), wait(1000, false)]);
  if (failed || tracer.exitCode !== null) return null;
  await runMany({ name: "", product, api, ids }, "true", ids.slice(0, 1));
  tracer.kill();
  await once(tracer, "exit");
  const started = (await readFile(file, "latin1"))
    .split("\n")
    .filter((line) => line.includes("execve(") && line.endsWith("= 0"));
  return Math.round(started.length / runsEach);
}
