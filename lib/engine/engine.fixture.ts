import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles, internalProfiles } from "#lib/agents/profiles.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { NewRun, RunRow, Store } from "#lib/store/store.ts";
import { Engine } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { NetworkParts } from "./run-network.ts";
import { createRunWorkspace } from "./run-workspace.ts";

/** Long enough for a machine several times slower than usual: only a test that fails waits so long. */
const deadlineMs = 120_000;
/** As long as the deadline, so that a slow machine ends no turn: a test of a limit passes its own. */
export const limits = {
  ...{ startMs: 60_000, inactivityMs: deadlineMs, turnMs: deadlineMs },
  ...{ questionMs: 10_000, stopGraceMs: 2000 },
};
const cache = process.env.NODE_COMPILE_CACHE;

/** The built-in agents; the compile cache that `npm test` keeps makes their starts twice as fast. */
export const builtInAgents = [...builtInProfiles.filter(({ id }) => id === "steps"), ...internalProfiles].map(
  (profile) => ({ ...profile, env: cache === undefined ? profile.env : { ...profile.env, NODE_COMPILE_CACHE: cache } }),
);
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An engine, not yet started, over a real store, real git and the real built-in agent as a child process. */
export async function openEngine(
  t: TestContext,
  changes: Partial<EngineParts> = {},
  given: { dataDir?: string; now?: () => Date; pagesMax?: number } = {},
) {
  const dataDir = given.dataDir ?? (await mkdtemp(join(tmpdir(), "errand-engine-")));
  const now = given.now ?? (() => new Date());
  const store = await openStore({ file: join(dataDir, "errand.db"), now, pagesMax: given.pagesMax ?? null });
  const names = { organization: "Test", fullName: "Test", email: null };
  const { organizationId, userId } = await store.organizations.ensureFirst(names);
  const access = { organizationId, userId };
  const environment = { PATH: process.env.PATH ?? "" };
  const engine = new Engine({
    store,
    driver: acpDriver(environment),
    workspace: createRunWorkspace({ dataDir, environment, sandbox: "process-group" }),
    isolation: "leash",
    profiles: builtInAgents.filter(({ id }) => id === "steps"),
    prepareTrace: () => Promise.reject(new Error("nothing is analyzed here")),
    findMcpServers: async () => [],
    network: networkUnderTest(dataDir, environment),
    prepared: { bytesMax: 1e9, usableMs: 60_000 },
    limits,
    concurrency: 2,
    leaseMs: 15_000,
    pollMs: 25,
    warmMs: 0,
    engineId: "test",
    logger: silent,
    ...changes,
  });
  t.after(async () => {
    await engine.stop();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const create = (prompt: string, more: Partial<NewRun> = {}) => store.runs.create(access, plainRun(prompt, more));
  const entries = async (runId: number) =>
    (await store.entries.readAfter(access, runId, 0, 100, 1e7)).map(({ body }) => JSON.parse(body) as LogEntry);
  const until = (runId: number, isSo: (run: RunRow) => boolean) => waitFor(store, access, runId, isSo);
  return { dataDir, store, access, engine, create, entries, until };
}

async function waitFor(
  store: Store,
  access: { organizationId: number; userId: number },
  runId: number,
  isSo: (run: RunRow) => boolean,
): Promise<RunRow> {
  for (const endsAt = Date.now() + deadlineMs; Date.now() < endsAt; ) {
    const run = await store.runs.find(access, runId);
    if (run !== null && isSo(run)) return run;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Run ${runId} did not get there: ${JSON.stringify(await store.runs.find(access, runId))}`);
}

/** Networks of runs, with their sockets in the data folder; nothing private is permitted. */
export function networkUnderTest(dataDir: string, environment: Record<string, string>): NetworkParts {
  const { unseal } = createSeal({ key: null, file: join(dataDir, "secret.key") });
  return { folder: join(dataDir, "run"), permitted: new Set(), environment, unseal };
}

/** A prompt for the built-in agent that runs these commands one after another. */
export const sh = (...commands: string[]) => commands.map((command) => `\`\`\`sh\n${command}\n\`\`\``).join("\n");
/** For `until`: the run has ended. */
export const hasEnded = ({ status }: RunRow) => isEnd(status);
