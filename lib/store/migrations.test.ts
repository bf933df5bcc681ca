// Each test makes a store as an earlier version wrote it, with the same few functions at the top.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { NewEntry } from "#lib/contract/entry.ts";
import { acted, messages, openFixture, said } from "./conformance/fixture.ts";
import { judgeEntries } from "./judge-entries.ts";
import type { MigratedDatabase } from "./migration.ts";
import { migrations } from "./migrations.ts";
import { openStore } from "./open-store.ts";
import { plainRun } from "./plain-run.fixture.ts";
import { wholeNames } from "./whole-names.ts";

const range = { first: 1, last: 402 };

const entries: NewEntry[] = [
  ...messages(300),
  acted("x"),
  { ...said("x"), message_type: "ERROR" },
  ...Array.from({ length: 100 }, (_, index) => ({
    ...acted("x"),
    created_at: new Date(index ** 4).toISOString(),
    thought: [null, "", "Hm"][index % 3] ?? null,
    tool_name: `tool ${index % 7}`,
    tool_output: { status: ["completed", "failed"][index % 2], duration_ms: [12.7, "soon", -1, 1e12][index % 4] },
    observation: [null, "", "seen", { kind: "interruption" }][index % 4] ?? null,
  })),
];

/** The same rows in a separate file, as a store of that version held them; `change` makes them differ before it is closed. */
function asWrittenBy(version: number, file: string, oldFile: string, change = ""): void {
  const database = new DatabaseSync(oldFile);
  database.exec("pragma application_id = 0x45727264; pragma foreign_keys = off");
  for (const step of migrations.slice(0, version)) {
    if (typeof step === "string") database.exec(step);
    else step(emptyStoreOver(database));
  }
  database.prepare("attach ? as newer").run(file);
  const tables = database.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'");
  for (const { name } of tables.all()) {
    const columns = database.prepare(`select name from pragma_table_info('${name}')`).all();
    const listed = columns.map((column) => column.name).join(", ");
    database.exec(`insert into main.${name} (${listed}) select ${listed} from newer.${name}`);
  }
  database.exec(
    `update entries set body = replace(body, '"tool_call_id":null,', ''); pragma user_version = ${version}`,
  );
  database.exec(change);
  database.close();
}

/** For migrations that read stored data: there is none yet. */
function emptyStoreOver(database: DatabaseSync): MigratedDatabase {
  const never = () => assert.fail("nothing is written to an empty store");
  return {
    exec: (text) => database.exec(text),
    each: (text) => database.prepare(text).iterate(),
    run: never,
    rollback: never,
    version: () => 0,
    setVersion: never,
  };
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "errand-store-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

for (const version of [1, 3, 5]) {
  test(`the contents of a store of version ${version} are surveyed like new ones`, async (t) => {
    const folder = await newFolder(t);
    const file = join(folder, "errand.db");
    const made = await openFixture(t, () => openStore({ file }));
    const { lease, run } = await made.startRun();
    await made.store.queue.append(lease, entries);
    const next = await made.startRun();
    await made.store.queue.append(next.lease, [acted("x"), ...messages(2)]);
    await made.startRun();
    const oldFile = join(folder, "old.db");
    asWrittenBy(version, file, oldFile);

    const store = await openStore({ file: oldFile });
    t.after(() => store.close());
    for (const { id } of [run, next.run]) {
      for (const read of [
        (from: typeof store) => from.entries.facts(made.access, id, range),
        (from: typeof store) => from.entries.tools(made.access, id),
        (from: typeof store) => from.entries.outline(made.access, id, { ...range, last: 3, buckets: 2 }),
      ]) {
        assert.deepEqual(await read(store), await read(made.store));
      }
    }
    assert.equal((await store.entries.facts(made.access, run.id, range)).count, 402);
    await store.queue.append(next.lease, messages(600));
    assert.equal((await store.entries.facts(made.access, next.run.id, { first: 1, last: 9999 })).count, 603);
    assert.deepEqual(await store.check(), []);
  });
}

test("failures in a stored run are judged again, in every block of it", async (t) => {
  const folder = await newFolder(t);
  const file = join(folder, "errand.db");
  const made = await openFixture(t, () => openStore({ file }));
  const { lease, run } = await made.startRun();
  const outputs = [
    { text: "Exit code 1\nno such test", is_error: true },
    { status: "completed", output: "fine" },
    { status: "failed", exit_code: 1 },
    { output: "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 2\nOutput:\n" },
    { status: "rejected" },
  ];
  const many: NewEntry[] = Array.from({ length: 700 }, (_, index) => ({
    ...acted("x"),
    tool_name: index % 2 === 0 ? "Bash" : "bash",
    tool_input: { command: index % 3 === 0 ? "grep -q x y" : "make" },
    tool_output: outputs[index % outputs.length] ?? null,
  }));
  await made.store.queue.append(lease, [...messages(3), ...many, { ...said("x"), message_type: "ERROR" }]);
  const oldFile = join(folder, "old.db");
  const before = migrations.indexOf(judgeEntries);
  // Before, a failure was a status with that word or an exit code.
  const asJudgedBefore = `
update entries set is_error = message_type = 'ERROR' or coalesce(json_extract(body, '$.tool_output.exit_code') <> 0, 0);
update entry_blocks set kinds = lower(kinds)`;
  asWrittenBy(before, file, oldFile, asJudgedBefore);

  const store = await openStore({ file: oldFile });
  t.after(() => store.close());
  const everything = { first: 1, last: 704 };
  const kindsIn = async (from: typeof store) => (await from.entries.facts(made.access, run.id, everything)).kinds;
  assert.deepEqual(await kindsIn(store), await kindsIn(made.store));
  const flagsIn = (path: string) => {
    const database = new DatabaseSync(path, { readOnly: true });
    const flags = database.prepare("select is_error from entries order by id").all();
    database.close();
    return flags.map((row) => row.is_error);
  };
  const flags = flagsIn(oldFile);
  assert.deepEqual(flags, flagsIn(file));
  // Exit code 1 of grep is an answer.
  assert.deepEqual(flags.slice(3, 8), [0, 0, 1, 1, 0]);
  assert.deepEqual(flags.slice(8, 11), [1, 0, 1]);
  assert.deepEqual(await store.check(), []);
});

/** Number of migrations before the one that adds this column. */
function versionBefore(column: string): number {
  const step = migrations.findIndex((each) => typeof each === "string" && each.includes(`add column ${column}`));
  assert.notEqual(step, -1);
  return step;
}

test("the answer of a stored run becomes that of its last turn that had ended", async (t) => {
  const folder = await newFolder(t);
  const file = join(folder, "errand.db");
  const made = await openFixture(t, () => openStore({ file }));
  const { store: newer, access } = made;
  const more = { prompt: "more", images: [], model: null };
  const answered = await made.startRun();
  await made.finish(answered.lease);
  await newer.runs.addTurn(access, answered.run.id, more);
  await made.finish((await made.claim()).lease);
  const again = await made.startRun();
  await made.finish(again.lease);
  await newer.runs.addTurn(access, again.run.id, more);
  await made.claim();
  const silent = await made.startRun();
  const external = await made.makeRun({ agent: "external" });
  await newer.external.update(access, external.id, { result: "So far" });
  const oldFile = join(folder, "old.db");
  asWrittenBy(versionBefore("result_turn"), file, oldFile);

  const store = await openStore({ file: oldFile });
  t.after(() => store.close());
  const shown = async (id: number) => {
    const run = await store.runs.find(access, id);
    return [run?.result, run?.resultTurn, run?.resultSeq];
  };
  assert.deepEqual(await shown(answered.run.id), ["result: completed", 2, 2]);
  assert.deepEqual(await shown(again.run.id), ["result: completed", 1, 1]);
  assert.deepEqual(await shown(silent.run.id), [null, null, null]);
  assert.deepEqual(await shown(external.id), ["So far", 1, 0]);
  // The turn has it too: an emptied answer falls back to the one before.
  await store.runs.addTurn(access, external.id, more);
  await store.external.update(access, external.id, { result: "Now" });
  await store.external.update(access, external.id, { result: null });
  assert.deepEqual(await shown(external.id), ["So far", 1, 0]);
  assert.deepEqual(await store.check(), []);
});

test("turns that a cancel dropped, and those left waiting in a run that has ended, are held", async (t) => {
  const folder = await newFolder(t);
  const file = join(folder, "errand.db");
  const made = await openFixture(t, () => openStore({ file }));
  const { store: newer, access } = made;
  const more = { prompt: "more", images: ["data:a", "data:b"], model: null };
  const cancelled = await made.startRun();
  await newer.runs.addTurn(access, cancelled.run.id, more);
  await made.finish(cancelled.lease);
  await made.finish(cancelled.lease);
  const interrupted = await made.startRun();
  await newer.runs.addTurn(access, interrupted.run.id, more);
  await made.finish(interrupted.lease, "interrupted");
  const live = await made.startRun();
  await newer.runs.addTurn(access, live.run.id, more);
  const oldFile = join(folder, "old.db");
  asWrittenBy(
    versionBefore("revision"),
    file,
    oldFile,
    `update turns set end_status = 'cancelled', started_at = null where run_id = ${cancelled.run.id} and number = 2;
     update turns set state = 'waiting' where run_id = ${interrupted.run.id} and number = 2`,
  );

  const store = await openStore({ file: oldFile });
  t.after(() => store.close());
  const queued = async (runId: number) => {
    const listed = await store.turns.listQueued(access, runId, { skip: 0, limit: 10 });
    return listed?.items.map(({ number, state, imageCount }) => [number, state, imageCount]);
  };
  assert.deepEqual(await queued(cancelled.run.id), [[2, "held", 2]]);
  assert.deepEqual(await queued(interrupted.run.id), [[2, "held", 2]]);
  assert.deepEqual(await queued(live.run.id), [[2, "waiting", 2]]);
});

test("a stored session was last heard of when its last line came, so that terminals which are long gone end", async (t) => {
  const folder = await newFolder(t);
  const file = join(folder, "errand.db");
  let nowMs = Date.parse("2026-01-31T12:00:00.000Z");
  const now = () => new Date(nowMs);
  const { store: newer, access } = await openFixture(t, () => openStore({ file, now }));
  const open = async (sessionId: string, lines: number) => {
    const run = plainRun("In a terminal", { agent: "external", sourceType: "LOCAL" });
    await newer.claudeSessions.open(access, sessionId, run);
    for (let key = 0; key < lines; key += 1) {
      nowMs += 60_000;
      const line = { key: `${key}`, text: "{}", steps: [], leftOut: null, usage: null, model: null, place: {} };
      await newer.claudeSessions.take(access, sessionId, line);
    }
  };
  await open("without lines", 0);
  await open("with lines", 3);
  const oldFile = join(folder, "old.db");
  asWrittenBy(versionBefore("heard_at"), file, oldFile);

  const store = await openStore({ file: oldFile, now });
  t.after(() => store.close());
  for (const [sessionId, heardAt] of [
    ["without lines", "2026-01-31T12:00:00.000Z"],
    ["with lines", "2026-01-31T12:03:00.000Z"],
  ] as const) {
    const session = await store.claudeSessions.find(access, sessionId);
    assert.deepEqual([session?.heardAt, session?.silentSince], [heardAt, null]);
  }
  assert.deepEqual(await store.claudeSessions.endSilent(120_000), [1]);
  assert.deepEqual(await store.check(), []);
});

test("an upgrade keeps the open network, and new organizations begin with allowed hosts", async (t) => {
  const folder = await newFolder(t);
  const file = join(folder, "errand.db");
  const made = await openFixture(t, () => openStore({ file }));
  const oldFile = join(folder, "old.db");
  const step = migrations.findIndex((one) => typeof one === "string" && one.includes("'$.network'"));
  asWrittenBy(step, file, oldFile);
  const store = await openStore({ file: oldFile });
  t.after(() => store.close());
  assert.equal((await store.settings.get(made.access.organizationId)).network, "open");
  assert.equal((await made.store.settings.get(made.access.organizationId)).network, "allowed");
});

test("after an upgrade no stored error names a key, a file or a place of secrets, and all others stay", async (t) => {
  const folder = await newFolder(t);
  const file = join(folder, "errand.db");
  const { store, access } = await openFixture(t, () => openStore({ file }));
  const words = [
    "integration:1:github:secret: sealed with key 1a2b3c4d, but the key in use is 99887766: set ERRAND_SECRET_KEY to the earlier one, or enter the secret again",
    "mcp:1:tracker:https://tracker.example: this is no sealed secret",
    "webhook:1:4711: the sealed secret was changed, or belongs to something else: enter it again",
    "the key that encrypts the stored secrets is gone: put back /srv/errand/secret.key, or set ERRAND_SECRET_KEY",
    "/srv/errand/secret.key cannot be read: EACCES: permission denied, open '/srv/errand/secret.key'",
    "/srv/errand/secret.key must hold 32 bytes in base64 or hexadecimal",
  ];
  const other = "GitHub does not accept the secret (401): it's no key.";
  const servers = [...words, other].map((_, index) => ({ name: `s${index}`, url: `https://s${index}.example/mcp` }));
  const rows = await store.mcpServers.replace(
    access,
    [],
    servers.map((server) => ({ ...server, headerNames: [], headersSealed: null, repositoryIds: null })),
  );
  for (const [index, error] of [...words, other].entries()) {
    await store.mcpServers.noteCheck(rows[index]?.id ?? 0, { active: false, error });
  }
  for (const [type, error] of [
    ["github", words[0] ?? ""],
    ["slack", other],
  ] as const) {
    const { id, revision } = await store.integrations.put(access, type, {});
    await store.integrations.noteCheck(id, revision, { active: false, error });
  }
  const oldFile = join(folder, "old.db");
  const step = migrations.findIndex((one) => typeof one === "string" && one.includes("sealed with key"));
  const pullError = JSON.stringify({ code: "failed", status: null, message: words[3], hint: null });
  asWrittenBy(
    step,
    file,
    oldFile,
    `insert into pull_requests (organization_id, repository_id, run_id, state, draft, head_branch, rounds_max, end_status, created_at, error, reason)
       values (1, 1, 1, 'failed', 0, 'work', 1, 'completed', 0, '${pullError}', 'The checks could not be read: ${words[0]}');
     insert into webhook_deliveries (organization_id, webhook_id, event_id, run_id, state, created_at, due_at, error)
       values (1, 1, 1, 1, 'failed', 0, 0, 'Not sent: ${words[0]}.'), (1, 1, 1, 1, 'failed', 0, 0, '${other.replace("'", "''")}')`,
  );
  const after = await openStore({ file: oldFile });
  t.after(() => after.close());
  const headers = words.map(() => "Its headers cannot be decrypted. Enter them again.");
  assert.deepEqual(
    (await after.mcpServers.list(access)).map(({ error }) => error),
    [...headers, other],
  );
  const integrations = await after.integrations.list(access);
  assert.deepEqual(
    integrations.map(({ error }) => error),
    ["Its secret cannot be decrypted. Enter it again.", other],
  );
  const database = new DatabaseSync(oldFile, { readOnly: true });
  t.after(() => database.close());
  const pull = database.prepare("select error, reason from pull_requests").get();
  assert.deepEqual(JSON.parse(String(pull?.error)), {
    ...{ code: "failed", status: null, hint: null },
    message: "The secret of its code host cannot be decrypted.",
  });
  assert.equal(pull?.reason, "The checks could not be read: the secret of the code host cannot be decrypted.");
  const deliveries = database.prepare("select error from webhook_deliveries order by id").all();
  assert.deepEqual(
    deliveries.map(({ error }) => error),
    ["Not sent: its secret cannot be decrypted. Enter it again.", other],
  );
});

test("repositories of an earlier version get the names of all their groups, unless people named them", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "errand-migrations-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  const { store, access } = await openFixture(t, () => openStore({ file }));
  await store.integrations.put(access, "gitlab", { baseUrl: "https://dev.corp/gitlab" });
  const expected: [source: string, before: string, after: string][] = [
    ["https://git.corp/group/sub/sub2/p.git", "sub2/p", "group/sub/sub2/p"],
    ["git@git.corp:a/x/p.git", "x/p", "a/x/p"],
    ["ssh://git@git.corp:22/b/x/p", "x/p", "b/x/p"],
    ["https://git.corp/owner/p.git", "owner/p", "owner/p"],
    ["https://git.corp/group/sub/q", "My name", "My name"],
    ["https://dev.corp/gitlab/team/app.git", "team/app", "team/app"],
    ["https://dev.corp/gitlab/team/sub/app.git", "sub/app", "team/sub/app"],
    ["https://dev.corp/gitea/team/app.git", "team/app", "gitea/team/app"],
    ["/srv/git/team/app.git", "team/app", "team/app"],
    ["https://git.corp/p", "p", "p"],
  ];
  const ids: number[] = [];
  for (const [source, fullName] of expected) {
    const { repository } = await store.repositories.add(access, { ...named, fullName, source });
    ids.push(repository.id);
  }
  const oldFile = join(folder, "old.db");
  asWrittenBy(migrations.indexOf(wholeNames), file, oldFile);
  const after = await openStore({ file: oldFile });
  t.after(() => after.close());
  for (const [index, id] of ids.entries()) {
    assert.equal((await after.repositories.find(access, id))?.fullName, expected[index]?.[2], expected[index]?.[0]);
  }
});

const named = { name: "p", description: null, defaultBranch: "main" };

test("work on pull requests that ended while they were said to be opening is pushed or failed, as it was", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "errand-migrations-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  await openFixture(t, () => openStore({ file }));
  const oldFile = join(folder, "old.db");
  const rows = [
    ["opening", null, "c0ffee", "no_progress", "pushed"],
    ["opening", null, "c0ffee", null, "failed"],
    ["opening", null, "c0ffee", "diverged", "failed"],
    ["opening", null, null, "refused", "failed"],
    ["opening", null, null, "no_progress", "failed"],
    ["opening", "fixing", "c0ffee", null, "opening"],
    ["pushed", null, "c0ffee", "no_checks", "pushed"],
    ["failed", null, "c0ffee", null, "failed"],
  ];
  const text = (value: unknown) => (value === null ? "null" : `'${value}'`);
  const inserted = rows.map(
    ([state, stage, commit, verdict], at) => `insert into pull_requests
      (organization_id, repository_id, run_id, state, stage, head_commit, verdict, draft, head_branch, rounds_max, end_status, created_at)
      values (1, 1, ${at + 1}, ${[state, stage, commit, verdict].map(text).join(", ")}, 0, 'work', 1, 'completed', 0)`,
  );
  const step = migrations.findIndex((one) => typeof one === "string" && one.includes("'pushed', 'failed')"));
  asWrittenBy(step, file, oldFile, inserted.join(";"));
  await (await openStore({ file: oldFile })).close();
  const database = new DatabaseSync(oldFile, { readOnly: true });
  t.after(() => database.close());
  const states = database.prepare("select state from pull_requests order by run_id").all();
  assert.deepEqual(
    states.map(({ state }) => state),
    rows.map((row) => row[4]),
  );
});
