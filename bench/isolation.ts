import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { acpDriver } from "../lib/agents/acp/driver.ts";
import type { AgentProfile } from "../lib/agents/agent.ts";
import { builtInProfiles } from "../lib/agents/profiles.ts";
import type { Isolation } from "../lib/contract/isolation.ts";
import type { Enclosure } from "../lib/engine/engine-parts.ts";
import { createRunWorkspace } from "../lib/engine/run-workspace.ts";
import type { Checkout } from "../lib/workspace/checkout.ts";
import { median, print, quantile } from "./report.ts";

const sessions = 30;
const commands = 6;
const ways: Isolation[] = ["leash", "wall"];
/** What a build does: small files written and read, processes started, and work in one of them. */
const work = `
mkdir -p work && cd work
for i in $(seq 400); do echo "line $i" > "file-$i"; done
for i in $(seq 150); do cat "file-$i" > /dev/null; done
git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm all
node -e 'let s = 0; for (let i = 0; i < 2e8; i++) s += i % 7; console.log(s)' > /dev/null
cd .. && rm -rf work`;

/** What the wall costs beside the leash: the start of an agent's session, and a command's work. */
export async function benchIsolation(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "errand-bench-"));
  try {
    const environment = { PATH: process.env.PATH ?? "" };
    const workspace = createRunWorkspace({ dataDir, environment, sandbox: "bubblewrap" });
    const state = await workspace.findWallState();
    if (!state.holds) throw new Error(`The wall does not hold here: ${state.why}`);
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
    const works = await inTurns(commands, async (at) => {
      const checkout = checkouts[at];
      if (checkout !== undefined) await runWork(await enclose(at, checkout));
    });
    report(starts, works);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Milliseconds of each way, one after the other, so that what else the machine does meets both. The first of each does not count. */
async function inTurns(rounds: number, take: (at: number) => Promise<void>): Promise<number[][]> {
  const times = ways.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const at of ways.keys()) {
      const from = performance.now();
      await take(at);
      if (round >= 0) times[at]?.push(performance.now() - from);
    }
  }
  return times;
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

async function runWork({ startShell }: Enclosure): Promise<void> {
  const shell = await startShell(work);
  const said = text(shell.stdout);
  shell.stderr.resume();
  shell.stdin.end();
  const { code } = await shell.exited;
  await shell.kill();
  if (code !== 0) throw new Error(await said);
}

function report(starts: number[][], works: number[][]): void {
  const [leash = [], wall = []] = starts;
  const cells = (times: number[]) => [0.5, 0.9].map((share) => `${quantile(times, share).toFixed(0)} ms`);
  const more = [0.5, 0.9].map((share) => `${signed(quantile(wall, share) - quantile(leash, share))} ms`);
  const [onLeash = 0, inWall = 0] = works.map(median);
  print(
    `Isolation: a session opened and closed (${sessions} of each, in turns; bound: p50 +60 ms), and a command's work`,
    [
      ["", "p50", "p90", "work", "throughput"],
      ["leash", ...cells(leash), `${onLeash.toFixed(0)} ms`, "1.00"],
      ["wall", ...cells(wall), `${inWall.toFixed(0)} ms`, (onLeash / inWall).toFixed(2)],
      ["", ...more],
    ],
  );
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(0)}`;
}
