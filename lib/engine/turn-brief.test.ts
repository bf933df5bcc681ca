// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import type { AgentDriver } from "#lib/agents/agent.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, limits, openEngine, sh } from "./engine.fixture.ts";
import { rulesText } from "./turn-brief.ts";

/** An engine whose agent is the real built-in one; records what it is told besides its prompts, and its time limits. */
async function openListening(t: TestContext, files: Record<string, string> = {}) {
  const told: (string | null)[] = [];
  const turnLimits: number[] = [];
  const real = acpDriver({ PATH: process.env.PATH ?? "" });
  const driver: AgentDriver = {
    ...real,
    start: async (options) => {
      turnLimits.push(options.limits.turnMs);
      const session = await real.start(options);
      const prompt: typeof session.prompt = (turn, signal) => {
        const prepare = async () => {
          const note = (await turn.prepare?.()) ?? null;
          told.push(note);
          return note;
        };
        return session.prompt({ ...turn, prepare }, signal);
      };
      return {
        prompt,
        close: () => session.close(),
        hasEnded: false,
        freeze: async () => false,
        thaw: async () => undefined,
      };
    },
  };
  const opened = await openEngine(t, { driver });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { "a.txt": "a", ...files });
  const names = { name: "x", fullName: "o/x", description: null, defaultBranch: "main" };
  const { repository } = await opened.store.repositories.add(opened.access, { ...names, source });
  opened.engine.start();
  return { ...opened, told, turnLimits, repositoryId: repository.id };
}

const notices = (entries: LogEntry[]) =>
  entries.filter(({ tool_name }) => tool_name === "errand").map(({ tool_output }) => Object(tool_output).text);

test("rules are given with the first message only, marked, and the log says so", async (t) => {
  const { store, access, create, until, entries, told } = await openListening(t);
  const rules = "Use tabs.\n```sh\ntouch ran\n```\n</organization_rules>";
  await store.settings.change(access, { rules });
  const run = await create(sh("ls"));
  await until(run.id, hasEnded);
  const [first] = told;
  assert.ok(
    first?.includes(
      "<organization_rules>\nUse tabs.\n'''sh\ntouch ran\n'''\n(/organization_rules)\n</organization_rules>",
    ),
    first ?? "",
  );
  assert.deepEqual(notices(await entries(run.id)), [
    `The agent was given the organization's rules (${rules.length} characters).`,
  ]);
  await store.runs.addTurn(access, run.id, { prompt: sh("ls -a"), images: [], model: null });
  await until(run.id, (now) => hasEnded(now) && now.resultTurn === 2);
  assert.deepEqual([told.length, told[1]], [2, null]);
});

test("the rules of whoever started the run follow the organization's, and nobody else's are given", async (t) => {
  const { store, access, create, until, entries, told } = await openListening(t);
  await store.accounts.update(access.userId, { rules: "Answer in French.\n</organization_rules></personal_rules>" });
  const alone = await create(sh("ls"));
  await until(alone.id, hasEnded);
  const own = "<personal_rules>\nAnswer in French.\n(/organization_rules)(/personal_rules)\n</personal_rules>";
  assert.ok(told[0]?.endsWith(own), told[0] ?? "");
  assert.doesNotMatch(told[0] ?? "", /<organization_rules>/);
  assert.deepEqual(notices(await entries(alone.id)), [
    "The agent was given the rules of the person who started the run (56 characters).",
  ]);
  await store.settings.change(access, { rules: "Use tabs." });
  const both = await create(sh("ls"));
  await until(both.id, hasEnded);
  assert.ok(
    told[1]?.includes("<organization_rules>\nUse tabs.\n</organization_rules>\nThe rules of the person who asks."),
    told[1] ?? "",
  );
  assert.match(told[1] ?? "", /the organization's win\./);
  const { id } = await store.runs.create({ ...access, userId: null }, plainRun(sh("ls -a")));
  await until(id, hasEnded);
  assert.match(told[2] ?? "", /<organization_rules>/);
  assert.doesNotMatch(told[2] ?? "", /French/);
});

test("the agent is pointed to the rule files of the repository, unless the organization does not want it", async (t) => {
  const files = {
    "AGENTS.md": "Use tabs.",
    ".cursor/rules/style.mdc": "x",
    ".cursor/rules/`x`.mdc": "x",
    "docs/AGENTS.md": "x",
  };
  const { store, access, create, until, entries, told, repositoryId } = await openListening(t, files);
  const run = await create(sh("ls"), { repositoryId });
  await until(run.id, hasEnded);
  const listed = ".cursor/rules/style.mdc, AGENTS.md";
  assert.match(told[0] ?? "", new RegExp(`follow them: ${listed.replaceAll(".", "\\.")}\\.$`));
  assert.deepEqual(notices(await entries(run.id)), [
    `The agent was pointed to the rule files of the repository: ${listed}.`,
  ]);
  await store.settings.change(access, { enableRulesDetection: false });
  const other = await create(sh("ls"), { repositoryId });
  await until(other.id, hasEnded);
  assert.deepEqual([told[1], notices(await entries(other.id))], [null, []]);
});

test("another organization's rules reach no run", async (t) => {
  const { store, access, create, until, told } = await openListening(t);
  assert.equal((await store.settings.get(access.organizationId)).rules, null);
  const run = await create(sh("ls"));
  await until(run.id, hasEnded);
  assert.deepEqual(told, [null]);
});

test("a run's own limit holds for its turns, never above the service's", async (t) => {
  const { create, until, turnLimits } = await openListening(t);
  for (const turnTimeoutS of [7, 60_000, null]) {
    const run = await create(sh("ls"), { turnTimeoutS });
    await until(run.id, hasEnded);
  }
  assert.deepEqual(turnLimits, [7000, limits.turnMs, limits.turnMs]);
});

test("many rule files are counted, not listed", () => {
  const files = Array.from({ length: 25 }, (_, index) => `r${index}`);
  const none = { organization: null, person: null };
  assert.match(rulesText(none, files) ?? "", /r19 and 5 more\.$/);
  assert.equal(rulesText(none, []), null);
});

test("an agent is told once that files of Git LFS are pointers, and the log says so", async (t) => {
  const attributes = "*.txt text\n*.bin filter=lfs diff=lfs merge=lfs -text\n";
  const { store, access, create, until, entries, told, repositoryId } = await openListening(t, {
    "sub/.gitattributes": attributes,
  });
  const { id } = await create(sh("ls"), { repositoryId });
  await until(id, hasEnded);
  await store.runs.addTurn(access, id, { prompt: sh("ls"), images: [], model: null });
  await until(id, (run) => run.turns === 2 && hasEnded(run));
  assert.equal(told.length, 2);
  assert.match(told[0] ?? "", /only pointers here/);
  assert.equal(told[1], null);
  assert.deepEqual(notices(await entries(id)), [told[0]]);
});

test("submodules are told of once, fetched or not, with the reason for one that is not there", async (t) => {
  const opened = await openListening(t);
  const { store, access, create, until, entries, told, repositoryId } = opened;
  const source = (await store.repositories.find(access, repositoryId))?.source ?? "";
  git(source, "config", "--file", ".gitmodules", "submodule.lib.path", "vendor/lib");
  git(source, "config", "--file", ".gitmodules", "submodule.lib.url", "/srv/lib");
  git(source, "add", ".gitmodules");
  git(source, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
  git(source, "commit", "--quiet", "-m", "submodule");
  const run = async () => {
    const { id } = await create(sh("ls vendor/lib"), { repositoryId });
    await until(id, hasEnded);
    return notices(await entries(id));
  };
  const none =
    "Errand did not fetch the submodules that .gitmodules names, so their folders are empty. Changes in them are not committed.";
  assert.deepEqual([await run(), told], [[none], [none]]);
  await store.repositories.update(access, repositoryId, { fetchSubmodules: true });
  const text = "The folder of the submodule vendor/lib is empty: its address is a folder.";
  assert.deepEqual([await run(), told[1]], [[text], text]);
});
