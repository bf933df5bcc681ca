import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Analyzer } from "#lib/analysis/analyse.ts";
import { mintToken } from "#lib/auth/token-secret.ts";
import { seedEntries } from "#lib/cli/seed-entries.ts";
import { webFlags } from "#lib/cli/start.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";
import { forkServer } from "./forked-server.ts";
import { loadHttp } from "./http-load.ts";
import { processorMs } from "./processor-time.ts";
import { print, quantile } from "./report.ts";

const small = 30_000;
/** A million entries take five times as long; memory does not grow with their number. */
const large = 200_000;

/** The length of run to which the bound of 30 s and 150 MB applies. */
const million = 1_000_000;

/** Analyses of long runs: time to the first and to the complete answer, memory, and how much pages of other runs slow down. */
export async function benchAnalysis(): Promise<void> {
  await bench(large);
}

/** The same with a million entries, which take longer to create than to analyze. */
export async function benchAnalysisOfMillion(): Promise<void> {
  await bench(million);
}

async function bench(large: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "errand-bench-"));
  const seeded = await seed(dataDir, large);
  const env = {
    ERRAND_DATA_DIR: dataDir,
    PORT: "0",
    ERRAND_LOG_LEVEL: "warn",
    NODE_ENV: "production",
    ERRAND_RATE_STANDARD: "1000000",
    ERRAND_RATE_LOGS: "1000000",
  };
  const server = await forkServer(join(import.meta.dirname, "../lib/web/main.ts"), { env, flags: webFlags });
  const run = (id: number) => `${server.url}/v1/organizations/1/agent/run/${id}`;
  const page = () =>
    loadHttp([`${run(seeded.smallId)}/logs?skip=100&limit=100`], {
      token: seeded.token,
      connections: 2,
      durationMs: 5000,
    });
  try {
    await page();
    const quiet = await page();
    const before = await megabytes(server.pid);
    const asked = analyse(run(seeded.largeId), seeded.token, server.pid);
    const beside = await page();
    const big = await asked;
    const little = await analyse(run(seeded.smallId), seeded.token, server.pid);
    const perMillion = (big.wholeMs / large) * 1000;
    print("GET analysis of entries of 2-6 KB", [
      [
        `${small} entries`,
        `first answer ${little.firstMs.toFixed(0)} ms`,
        `all ${(little.wholeMs / 1000).toFixed(1)} s, of the processor ${(little.usedMs / 1000).toFixed(1)} s`,
      ],
      [
        `${large} entries`,
        `first answer ${big.firstMs.toFixed(0)} ms`,
        `all ${(big.wholeMs / 1000).toFixed(1)} s, so ${perMillion.toFixed(0)} s a million`,
      ],
      ["memory beyond the server's own", `${(big.peak - before).toFixed(0)} MB`, ""],
      [
        "logs page of another run, p99",
        `${beside.p99Ms.toFixed(1)} ms`,
        `${(beside.p99Ms / quiet.p99Ms).toFixed(2)} times without (${quiet.p99Ms.toFixed(1)} ms)`,
      ],
      [
        "100 more entries of a live run",
        `p50 ${quantile(increments(), 0.5).toFixed(1)} ms`,
        `p95 ${quantile(increments(), 0.95).toFixed(1)} ms`,
      ],
    ]);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Polls until the answer covers all entries; measures the server's peak memory in the meantime, in MB. */
async function analyse(run: string, token: string, pid: number | undefined) {
  const startedAt = performance.now();
  const usedBefore = await processorMs(pid);
  const ask = async () =>
    fieldsOf(await (await fetch(`${run}/analysis`, { headers: { authorization: `Bearer ${token}` } })).json());
  let answer = await ask();
  const firstMs = performance.now() - startedAt;
  let peak = await megabytes(pid);
  while (answer.partial === true) {
    await wait(100);
    peak = Math.max(peak, await megabytes(pid));
    answer = await ask();
  }
  if (answer.partial !== false) throw new Error(`The analysis was refused: ${JSON.stringify(answer).slice(0, 300)}`);
  const wholeMs = performance.now() - startedAt;
  return { firstMs, wholeMs, usedMs: (await processorMs(pid)) - usedBefore, peak };
}

/** Time that 100 entries appended to a run of 10,000 take, in ms. */
function increments(): number[] {
  const bodies = [...seedEntries(20_000, 7)]
    .map((entry) => JSON.stringify(entry))
    .filter(({ length }) => length < 1_000_000);
  const analyser = new Analyzer();
  const taken: number[] = [];
  for (let first = 0; first + 100 <= bodies.length; first += 100) {
    const startedAt = performance.now();
    for (const body of bodies.slice(first, first + 100)) analyser.add(fieldsOf(JSON.parse(body)));
    if (first >= 10_000) taken.push(performance.now() - startedAt);
  }
  return taken;
}

async function megabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1000;
}

async function seed(dataDir: string, large: number): Promise<{ token: string; smallId: number; largeId: number }> {
  const store = await openStore({ file: join(dataDir, "errand.db") });
  try {
    const access = await store.organizations.ensureFirst({ organization: "Bench", fullName: "Bench", email: null });
    const { secret, hash, hint } = mintToken();
    const token = {
      name: "bench",
      role: "owner",
      scopes: scopesOf("owner"),
      statusStyle: "errand",
      hint,
      expiresAt: null,
      hash,
    } as const;
    await store.tokens.create(access, token);
    return {
      token: secret,
      smallId: await seedRun(store, access, small),
      largeId: await seedRun(store, access, large),
    };
  } finally {
    await store.close();
  }
}

async function seedRun(
  store: Store,
  access: { organizationId: number; userId: number },
  count: number,
): Promise<number> {
  const { id } = await store.runs.create(access, plainRun("A run of the benchmark"));
  const claimed = await store.queue.claim("bench", 3_600_000);
  if (claimed === null || claimed.run.id !== id) throw new Error("The run was not there to be claimed.");
  let batch: NewEntry[] = [];
  for (const entry of seedEntries(count, 7)) {
    const { created_at, message_type, tool_call_id = null, thought = null, tool_name = null } = entry;
    const { tool_input = null, tool_output = null, observation = null } = entry;
    const at = created_at ?? "2026-01-01T00:00:00.000Z";
    batch.push({
      created_at: at,
      message_type,
      tool_call_id,
      thought,
      tool_name,
      tool_input,
      tool_output,
      observation,
    });
    if (batch.length < 200) continue;
    await store.queue.append(claimed.lease, batch);
    batch = [];
  }
  await store.queue.append(claimed.lease, batch);
  await store.queue.finishTurn(claimed.lease, { status: "completed", result: null, summary: null, entries: [] });
  return id;
}
