import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { isEnd } from "#lib/contract/run-status.ts";
import { openStore } from "#lib/store/open-store.ts";
import { plainRun } from "#lib/store/plain-run.fixture.ts";
import type { NewRun, RunRow, Store } from "#lib/store/store.ts";
import { Engine } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import { createRunWorkspace } from "./run-workspace.ts";

const deadlineMs = 20_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A real store, real git, the real built-in agent as a real child process. */
async function fixture(t: TestContext, changes: Partial<EngineParts> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "errand-engine-"));
  const store = await openStore({ file: join(dataDir, "errand.db") });
  const names = { organization: "Test", fullName: "Test", email: null };
  const { organizationId, userId } = await store.organizations.ensureFirst(names);
  const access = { organizationId, userId };
  const environment = { PATH: process.env.PATH ?? "" };
  const engine = new Engine({
    store,
    driver: acpDriver(environment),
    workspace: createRunWorkspace({ dataDir, environment, sandbox: "process-group" }),
    profiles: builtInProfiles.filter(({ id }) => id === "steps"),
    limits: { startMs: 10_000, inactivityMs: 10_000, turnMs: 20_000, questionMs: 10_000, stopGraceMs: 2000 },
    concurrency: 2,
    leaseMs: 15_000,
    pollMs: 10,
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
  return { store, access, engine, create, entries, until };
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
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Run ${runId} did not get there: ${JSON.stringify(await store.runs.find(access, runId))}`);
}

const sh = (...commands: string[]) => commands.map((command) => `\`\`\`sh\n${command}\n\`\`\``).join("\n");
const hasEnded = ({ status }: RunRow) => isEnd(status);

test("a message sent to a live run is its next turn, in the same session", async (t) => {
  const { store, access, engine, create, entries, until } = await fixture(t);
  const run = await create(sh("until [ -e go ]; do sleep 0.05; done"));
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  await store.runs.addTurn(access, run.id, { prompt: sh("echo second turn"), images: [], model: null });
  await store.runs.addTurn(access, run.id, { prompt: sh("echo third turn"), images: [], model: null });
  const other = await create(sh(`touch ../${run.id}/go`));
  await until(other.id, hasEnded);
  const ended = await until(run.id, hasEnded);
  assert.deepEqual([ended.status, ended.turns], ["completed", 3]);
  const messages = (await entries(run.id)).filter(({ message_type }) => message_type === "USER_MESSAGE");
  assert.deepEqual(
    messages.map(({ tool_input }) => tool_input),
    [
      { turn: 1, session: "new" },
      { turn: 2, session: "resumed" },
      { turn: 3, session: "resumed" },
    ],
  );
});

test("at most as many runs are at work as the setting says, the oldest first", async (t) => {
  const { engine, create, until } = await fixture(t, { concurrency: 1 });
  const first = await create(sh("echo one"));
  const second = await create(sh("echo two"));
  engine.start();
  const [one, two] = [await until(first.id, hasEnded), await until(second.id, hasEnded)];
  assert.ok((one.finishedAt ?? "") <= (two.startedAt ?? ""), `${one.finishedAt} ${two.startedAt}`);
});

test("a question that nobody answers in time counts as rejected", async (t) => {
  const limits = { startMs: 10_000, inactivityMs: 10_000, turnMs: 20_000, questionMs: 200, stopGraceMs: 2000 };
  const { engine, create, entries, until } = await fixture(t, { limits });
  const run = await create(sh("touch never"), { permissionMode: "ask" });
  engine.start();
  const waiting = await until(run.id, ({ status, question }) => status === "waiting" && question !== null);
  assert.equal(
    waiting.question?.options.some(({ kind }) => kind === "allow_once"),
    true,
  );
  const ended = await until(run.id, hasEnded);
  assert.deepEqual([ended.status, ended.question], ["completed", null]);
  const action = (await entries(run.id)).find(({ message_type }) => message_type === "ACTION");
  assert.equal(JSON.stringify(action?.tool_output).includes('exit_code":0'), false);
});

test("stopping the engine ends a live run as interrupted, with an ERROR that says how to go on", async (t) => {
  const { engine, create, entries, until } = await fixture(t);
  const run = await create(sh("sleep 600"));
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  await engine.stop();
  const ended = await until(run.id, hasEnded);
  assert.equal(ended.status, "interrupted");
  const last = (await entries(run.id)).at(-1);
  assert.equal(last?.message_type, "ERROR");
  assert.match(JSON.stringify(last?.observation), /Resume the run/);
});

test("a run whose agent this engine does not know fails with the prompt and an ERROR in its log", async (t) => {
  const { engine, create, entries, until } = await fixture(t);
  const run = await create("Do something", { agent: "unknown" });
  engine.start();
  assert.equal((await until(run.id, hasEnded)).status, "failed");
  const [message, error, ...more] = await entries(run.id);
  assert.deepEqual([message?.message_type, message?.observation], ["USER_MESSAGE", "Do something"]);
  assert.deepEqual(error?.observation, {
    code: "agent_unknown",
    message: 'No agent is called "unknown". Known are: steps.',
  });
  assert.deepEqual(more, []);
});
