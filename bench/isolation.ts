import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { acpDriver } from "../lib/agents/acp/driver.ts";
import type { AgentProfile } from "../lib/agents/agent.ts";
import { builtInProfiles } from "../lib/agents/profiles.ts";
import type { Enclosure } from "../lib/engine/enclosures.ts";
import { createRunWorkspace } from "../lib/engine/run-workspace.ts";
import type { Checkout } from "../lib/workspace/checkout.ts";
import { machineTicks, stolenShare } from "./machine-share.ts";
import { median, print, quantile } from "./report.ts";

const sessions = 40;
const commands = 12;
const refusals = 20;
const ways: Isolation[] = ["leash", "wall"];
/** Typical work of agents: small files written and read, processes, a commit, work in one process, and a package's tests. */
const works = {
  "files, processes, a commit": `
mkdir -p work && cd work
for i in $(seq 400); do echo "line $i" > "file-$i"; done
for i in $(seq 150); do cat "file-$i" > /dev/null; done
git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm all
node -e 'let s = 0; for (let i = 0; i < 2e8; i++) s += i % 7; console.log(s)' > /dev/null
cd .. && rm -rf work`,
  "npm test": `
mkdir -p package && cd package
echo '{"name": "fixture", "scripts": {"test": "node --test"}}' > package.json
for i in $(seq 4); do
  echo 'require("node:test").test("adds", () => require("node:assert").equal(1 + 1, 2));' > "file-$i.test.js"
done
npm test --silent > /dev/null
cd .. && rm -rf package`,
};

/** What the wall costs compared with the leash: at the start of an agent's session, and for a command; and how soon a run without it fails. */
export async function benchIsolation(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "errand-bench-"));
  try {
    const environment = { PATH: process.env.PATH ?? "" };
    const workspace = createRunWorkspace({ dataDir, environment, sandbox: "bubblewrap" });
    const state = await workspace.findWallState();
    if (!state.holds) throw new Error(`The wall does not work here: ${state.why}`);
    const profile = builtInProfiles.find(({ id }) => id === "steps");
    if (profile === undefined) throw new Error("The built-in agent is missing");
    const signal = new AbortController().signal;
    const checkouts = await Promise.all(
      ways.map((_, at) =>
        workspace.open({ runId: at + 1, repositoryId: null, source: null, baseBranch: null }, signal),
      ),
    );
    const network = { wayOut: null, environmentOf: (env: Record<string, string>) => env };
    const enclose = (at: number, checkout: Checkout) =>
      workspace.enclose({
        runId: at + 1,
        checkout,
        profile,
        isolation: ways[at] ?? "leash",
        network,
        setup: null,
        layers: null,
      });
    const starts = await inTurns(sessions, async (at) => {
      const checkout = checkouts[at];
      if (checkout !== undefined) await openSession(await enclose(at, checkout), profile, environment, signal);
    });
    const before = await machineTicks();
    const worked = new Map<string, number[][]>();
    for (const [name, script] of Object.entries(works)) {
      const times = await inTurns(commands, async (at) => {
        const checkout = checkouts[at];
        if (checkout !== undefined) await runWork(await enclose(at, checkout), script);
      });
      worked.set(name, times);
    }
    report(starts, worked, stolenShare(before, await machineTicks()));
    reportRefusals(await refuse(join(dataDir, "bin")));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Milliseconds of each way by round, in turn and in every second round in reverse order, so that other load on the machine affects
 * both. The first of each does not count.
 */
async function inTurns(rounds: number, take: (at: number) => Promise<void>): Promise<number[][]> {
  const times = ways.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    const order = [...ways.keys()];
    for (const at of round % 2 === 0 ? order : order.reverse()) {
      const from = performance.now();
      await take(at);
      if (round >= 0) times[at]?.push(performance.now() - from);
    }
  }
  return times;
}

/** Milliseconds from the creation of a run whose organization requires the wall to its end, where bubblewrap refuses; `bin` is a folder to make. */
async function refuse(bin: string): Promise<number[]> {
  await mkdir(bin);
  await writeFile(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  await chmod(join(bin, "bwrap"), 0o755);
  const product = await Product.start({ ERRAND_ISOLATION: "auto", PATH: `${bin}:${process.env.PATH}` });
  try {
    const api = await ApiClient.create(product);
    const { status } = await api.ask("PATCH", "/settings", { require_wall: true });
    if (status !== 200) throw new Error(`The wall cannot be required: ${status}`);
    const times: number[] = [];
    for (let count = 0; count < refusals; count += 1) {
      const { body } = await api.ask("POST", "/agent/run", { prompt: "Refused", agent: "steps" });
      const find = async () => (await api.ask("GET", `/agent/run/${body.id}`)).body;
      let run = await find();
      for (; run.finished_at === null; run = await find()) await delay(20);
      if (run.status !== "failed" || run.isolation !== null) throw new Error(`The run is ${run.status}`);
      times.push(Date.parse(String(run.finished_at)) - Date.parse(String(run.created_at)));
    }
    return times;
  } finally {
    await product.stop();
  }
}

function reportRefusals(times: number[]): void {
  const cells = [0.5, 1].map((share) => `${quantile(times, share).toFixed(0)} ms`);
  print(`A run that requires the wall where it does not work fails (${refusals} runs; bound: 1 s)`, [
    ["p50", "longest"],
    cells,
  ]);
}

async function openSession(
  { cwd, agentHome, spawn }: Enclosure,
  profile: AgentProfile,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const session = await acpDriver(environment).start({
    ...{ profile, cwd, agentHome, spawn, signal, permissionMode: "auto", model: null, state: null, mcpServers: [] },
    limits: { startMs: 60_000, inactivityMs: 60_000, turnMs: 60_000, questionMs: 60_000, stopGraceMs: 2000 },
    recap: async () => "",
    host: {
      onEntries: async () => undefined,
      onProgress: () => undefined,
      onFigures: () => undefined,
      onState: async () => undefined,
      ask: async () => null,
    },
  });
  await session.close();
}

async function runWork({ startShell }: Enclosure, script: string): Promise<void> {
  const shell = await startShell(script);
  const said = text(shell.stdout);
  shell.stderr.resume();
  shell.stdin.end();
  const { code } = await shell.exited;
  await shell.kill();
  if (code !== 0) throw new Error(await said);
}

function report(starts: number[][], worked: Map<string, number[][]>, stolen: number): void {
  const [leash = [], wall = []] = starts;
  const cells = (times: number[]) => [0.5, 0.9].map((share) => `${quantile(times, share).toFixed(0)} ms`);
  const more = median(wall.map((time, round) => time - (leash[round] ?? 0)));
  print(`Isolation: a session opened and closed (${sessions} of each, in turns; bound: p50 +60 ms)`, [
    ["", "p50", "p90"],
    ["leash", ...cells(leash)],
    ["wall", ...cells(wall)],
    ["wall - leash, median of rounds", `${more < 0 ? "" : "+"}${more.toFixed(0)} ms`],
  ]);
  const rows = [...worked].map(([name, [onLeash = [], inWall = []]]) => {
    const ratio = median(inWall.map((time, round) => time / (onLeash[round] ?? time)));
    return [name, ...[onLeash, inWall].map((times) => `${median(times).toFixed(0)} ms`), ratio.toFixed(3)];
  });
  print(
    `What a command takes (${commands} of each, in turns; bounds: 1.03 for the first, 1.05 for the tests; the host took ${(stolen * 100).toFixed(0)}%)`,
    [["", "leash", "wall", "wall / leash, median of rounds"], ...rows],
  );
}
