// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import { internalProfiles } from "#lib/agents/profiles.ts";
import { tracePreparer } from "#lib/analyst/read-trace.ts";
import type { LogEntry, NewEntry } from "#lib/contract/logs/entry.ts";
import { maskOf } from "#lib/entry/mask-values.ts";
import { traceMasks } from "#lib/service/trace-masks.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { RunRow } from "#lib/store/store.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

const { holds } = await probeWall({ dataDir: tmpdir(), env: process.env, user: null, hidden: [] });
const pageOf = (runId: number) => `http://errand.test/runs/${runId}`;
const secret = `sk-ant-api03-${"Ab1".repeat(30)}`;

/** An engine with the built-in analysis and a scripted agent, and an external run to be analyzed. */
async function analyst(t: TestContext, scenario: object = {}, isolation: "auto" | "leash" = "leash") {
  const dataDir = await mkdtemp(join(tmpdir(), "errand-analyst-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const own = await openStore({ file: join(dataDir, "errand.db") });
  t.after(() => own.close());
  const environment = { PATH: process.env.PATH ?? "" };
  const sandbox = isolation === "leash" ? "process-group" : "auto";
  const workspace = createRunWorkspace({ dataDir, environment, sandbox });
  const engine = await openEngine(t, {
    store: own,
    profiles: [scriptedProfile(scenario), ...internalProfiles],
    workspace,
    isolation,
    prepareTrace: tracePreparer(own, async () => traceMasks(maskOf([]))),
  });
  const names = { organization: "Test", fullName: "Test", email: null };
  const { organizationId, userId } = await own.organizations.ensureFirst(names);
  const access = { organizationId, userId };
  const run = await own.runs.create(access, plainRun("Fix it", { agent: "external" }));
  await own.external.append(access, run.id, log);
  const analyse = async (agent: string, prompt = "Analyze the log.") => {
    const wanted = plainRun(prompt, { agent, permissionMode: "read-only" });
    const made = await own.analysisRuns.create(access, run.id, wanted, pageOf);
    assert.ok("run" in made);
    return made.run.id;
  };
  const entriesOf = async (runId: number) =>
    (await own.entries.readAfter(access, runId, 0, 100, 1e7)).map(({ body }) => JSON.parse(body) as LogEntry);
  const ended = async (runId: number): Promise<RunRow> => {
    engine.engine.start();
    for (;;) {
      const now = await own.runs.find(access, runId);
      if (now !== null && hasEnded(now)) return now;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const checkoutOf = (runId: number) => join(dataDir, "checkouts", String(runId));
  return { store: own, access, run, analyse, ended, entriesOf, checkoutOf, workspace };
}

const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };
const at = (second: number) => `2026-01-31T12:00:${String(second).padStart(2, "0")}.000Z`;
function ran(second: number, command: string, output: string, exit_code: number): NewEntry {
  const tool_output = { status: exit_code === 0 ? "completed" : "failed", exit_code, output };
  return {
    ...blank,
    created_at: at(second),
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command },
    tool_output,
  };
}
const log: NewEntry[] = [
  { ...blank, created_at: at(0), message_type: "USER_MESSAGE", observation: "Fix the failing test" },
  ran(1, "npm test", "# tests 2\n# pass 1\n# fail 1\nnot ok 2 - adds", 1),
  ran(2, "bun test", "bash: bun: command not found", 127),
  ran(3, `curl -H 'Authorization: Bearer ${secret}' http://x`, "ok", 0),
  { ...blank, created_at: at(4), message_type: "FINAL_ANSWER", observation: "I could not run the tests." },
];

test("the built-in analysis writes its findings with links to the steps, and changes no file", async (t) => {
  const { store, access, run, analyse, ended, entriesOf, checkoutOf } = await analyst(t);
  await store.external.update(access, run.id, { status: "completed" });
  const id = await analyse("analysis");
  const done = await ended(id);
  assert.equal(done.status, "completed", JSON.stringify(await entriesOf(id)));
  const entries = await entriesOf(id);
  assert.deepEqual(
    [entries[0]?.message_type, entries[1]?.message_type, entries.at(-1)?.message_type],
    ["AGENT_RUN_LINK", "USER_MESSAGE", "FINAL_ANSWER"],
  );
  const findings = entries.filter(({ message_type }) => message_type === "PLAN_EVALUATION");
  const words = findings.map(({ thought }) => thought).join("\n");
  assert.match(words, /\*\*Outcome\*\*/);
  assert.match(words, /\*\*Tests\*\*[\s\S]*npm test/);
  for (const { tool_input } of findings) assert.ok(Array.isArray((tool_input as { seqs: unknown }).seqs));
  for (const [, seq] of words.matchAll(/entry=(\d+)\)/g)) assert.ok(Number(seq) >= 1 && Number(seq) <= log.length);
  assert.ok(words.includes(`[step 2](${pageOf(run.id)}?entry=2)`));
  const answer = entries.at(-1)?.tool_output as Record<string, unknown>;
  assert.deepEqual([answer.analysed_run_id, answer.partial, answer.analysed], [run.id, false, log.length + 1]);
  assert.equal(done.result, entries.at(-1)?.observation);
  assert.equal(done.leftOut, 0);
  assert.deepEqual([done.changes?.files, done.changes?.base_commit, done.changes?.head_commit], [0, null, null]);
  const files = await readdir(join(checkoutOf(id), "entries"));
  assert.equal(files.length, log.length + 1);
});

test("the built-in analysis, which needs no network, works behind the wall by itself", async (t) => {
  const { analyse, ended, entriesOf } = await analyst(t, {}, "auto");
  const id = await analyse("analysis");
  const done = await ended(id);
  assert.equal(done.status, "completed", JSON.stringify(await entriesOf(id)));
  assert.equal(done.isolation, holds ? "wall" : "leash");
});

test("the log in the checkout is masked as a shared page is, and its tool finds and shows steps", async (t) => {
  const { store, access, run, analyse, ended, checkoutOf } = await analyst(t);
  // The mask is longer than the secret, and a sample has at most 300 characters.
  const long = `error: PASSWORD=hunter2x ${"x".repeat(400)}`;
  await store.external.append(access, run.id, [ran(5, `PASSWORD=hunter2x make ${"y".repeat(400)}`, long, 2)]);
  const id = await analyse("analysis");
  assert.equal((await ended(id)).status, "completed");
  const folder = checkoutOf(id);
  for (const name of [
    "run.json",
    "analysis.json",
    ...(await readdir(join(folder, "entries"))).map((file) => `entries/${file}`),
  ]) {
    const text = await readFile(join(folder, name), "utf8");
    assert.ok(!text.includes(secret) && !text.includes("hunter2x"), name);
  }
  const tool = (...words: string[]) => execFileSync(join(folder, "errand-trace"), words, { encoding: "utf8" });
  assert.match(tool("search", "command", "NOT found"), /^3: .*bun: command not found[\s\S]*\n1 step\n$/);
  assert.match(tool("show", "3"), /command not found/);
  assert.throws(() => tool("show", "99"), /There is no file for step 99/);
  assert.throws(() => tool("drop"), /Usage/);
});

test("behind the wall, where Errand's folder does not exist, the tool works too", { skip: !holds }, async (t) => {
  const { analyse, ended, workspace } = await analyst(t);
  const id = await analyse("analysis");
  assert.equal((await ended(id)).status, "completed");
  const opened = { runId: id, repositoryId: null, source: null, baseBranch: null };
  const checkout = await workspace.open(opened, new AbortController().signal);
  // Node is there with every run's way out.
  const profile = { ...scriptedProfile({}), readable: [process.execPath] };
  const network = { wayOut: null, environmentOf: (environment: Record<string, string>) => environment };
  const { startShell } = await workspace.enclose({
    ...{ runId: id, checkout, profile, isolation: "wall", network, setup: null, layers: null },
  });
  const tool = await startShell("./errand-trace search command NOT found; ./errand-trace show 3");
  tool.stdin.end();
  const said = await text(tool.stdout);
  assert.match(said, /^3: .*bun: command not found[\s\S]*\n1 step\n\{/, said);
});

test("an analysis of a live run says that it is partial", async (t) => {
  const { run, store, access, analyse, ended, entriesOf } = await analyst(t);
  const id = await analyse("analysis");
  await ended(id);
  const last = (await entriesOf(id)).at(-1);
  const { partial } = (last?.tool_output ?? {}) as Record<string, unknown>;
  assert.equal(partial, true);
  assert.match(String(last?.observation), /still working/);
  assert.equal((await store.runs.find(access, run.id))?.totalLogs, log.length);
});

test("a model's claims are checked: what holds is the answer, with links; what does not is struck", async (t) => {
  const claims = [
    { claim: "bun is not installed.", kind: "cause", evidence: [{ seq: 3, quote: "bun: command not found" }] },
    { claim: "It was rewritten in step 900.", kind: "finding", evidence: [{ seq: 1, quote: "Fix the failing" }] },
    { claim: "The disk was full.", kind: "cause", evidence: [{ seq: 4, quote: "No space left on device" }] },
  ];
  const { run, analyse, ended, entriesOf } = await analyst(t, { answers: [JSON.stringify({ claims })] });
  const id = await analyse("scripted", "Analyze the log. Why?");
  const done = await ended(id);
  assert.equal(done.status, "completed", JSON.stringify(await entriesOf(id)));
  const entries = await entriesOf(id);
  assert.match(String(entries[1]?.observation), /^Analyze the log\. Why\?[\s\S]*The log is data/);
  const answer = entries.at(-1)?.tool_output as Record<string, unknown>;
  const words = String(entries.at(-1)?.observation);
  assert.deepEqual(answer.claims, [claims[0]]);
  assert.equal(answer.struck, 3);
  assert.ok(words.includes(`bun is not installed. ([step 3](${pageOf(run.id)}?entry=3))`));
  assert.match(words, /3 unproven statements were removed/);
  assert.equal(done.result, entries.at(-1)?.observation);
});

test("an answer that is no JSON is asked for once more, then the turn fails and says why", async (t) => {
  const good = JSON.stringify({ claims: [{ claim: "It gave up.", evidence: [{ seq: 5, quote: "I could not run" }] }] });
  const twice = await analyst(t, { answers: ["It gave up, I think.", good] });
  const repaired = await twice.analyse("scripted");
  assert.equal((await twice.ended(repaired)).status, "completed");
  const entries = await twice.entriesOf(repaired);
  assert.deepEqual(
    entries.map(({ message_type }) => message_type),
    ["AGENT_RUN_LINK", "USER_MESSAGE", "PLAN_EVALUATION", "USER_MESSAGE", "FINAL_ANSWER"],
  );
  assert.equal(entries[2]?.thought, "It gave up, I think.");
  assert.match(String(entries[3]?.observation), /^The answer is not JSON\./);

  const never = await analyst(t, { answers: ["No.", '{"claims": 7}'] });
  const failed = await never.analyse("scripted");
  const end = await never.ended(failed);
  assert.deepEqual([end.status, end.result], ["failed", null]);
  const last = (await never.entriesOf(failed)).at(-1)?.observation as Record<string, unknown>;
  assert.equal(last.code, "analysis_unreadable");
  assert.match(String(last.message), /could not be read, even after it was asked again\. .*claims/);
});

test("an agent that analyzes may run the log's tool and nothing else", async (t) => {
  const commands = [
    "./errand-trace show 3",
    "errand-trace search command not found",
    "./errand-trace show 3; rm -rf /",
    "./errand-trace search $(id)",
    "ls",
  ];
  const { analyse, ended, entriesOf } = await analyst(t, { answers: ['{"claims": []}'], commands });
  const id = await analyse("scripted");
  await ended(id);
  const asked = (await entriesOf(id)).filter(({ message_type }) => message_type === "ACTION");
  assert.deepEqual(
    asked.map(({ tool_input, tool_output }) => [
      (tool_input as { command: string }).command,
      (tool_output as { status: string }).status,
    ]),
    commands.map((command, index) => [command, index < 2 ? "completed" : "rejected"]),
  );
});
