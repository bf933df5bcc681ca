import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { messages, type OpenStore, openFixture, parsePage } from "#lib/store/conformance.fixture.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { entryStore } from "#lib/store/entries/entries.ts";
import { entryId } from "#lib/store/entries/entry-id.ts";
import { claimDue } from "#lib/store/webhooks/webhook-claims.ts";
import { openStore } from "./open-store.ts";
import { openSqlite } from "./sqlite-dialect.ts";

const all = { skip: 0, limit: 100 };

async function newStore(t: TestContext): Promise<{ file: string; database: DatabaseSync; open: OpenStore }> {
  const folder = await mkdtemp(join(tmpdir(), "errand-store-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  await (await openStore({ file })).close();
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  return { file, database, open: (now) => openStore({ file, now }) };
}

function planOf(database: DatabaseSync, text: string): string[] {
  return database
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail));
}

test("a page at skip 180,000 of 200,000 is found by the key, without a scan or a sort", async (t) => {
  const { file, database, open } = await newStore(t);
  const { access, startRun } = await openFixture(t, open);
  const { run } = await startRun();
  const next = await startRun();
  const total = 200_000;
  const insert = `
    insert into entries (id, message_type, created_at, is_error, body)
    with recursive n (seq) as (select 1 union all select seq + 1 from n where seq < ${total})
    select ? + seq, 'USER_MESSAGE', 0, 0, '{"seq":' || seq || '}' from n`;
  database.prepare(insert).run(entryId(run.id, 0));
  database.prepare(insert).run(entryId(next.run.id, 0));
  database.prepare("update runs set total_logs = ?").run(total);

  const dialect = await openSqlite(file);
  t.after(() => dialect.close());
  const asked = new Set<string>();
  const entries = entryStore({
    ...dialect,
    readAll: (statement, given) => {
      asked.add(statement.text);
      return dialect.readAll(statement, given);
    },
  });
  const seqs = async (reverse: boolean) =>
    parsePage(await entries.readPage(access, run.id, { skip: 180_000, limit: 100, reverse, totalLogs: total })).map(
      ({ seq }) => seq,
    );
  assert.deepEqual(
    await seqs(false),
    Array.from({ length: 100 }, (_, index) => 180_001 + index),
  );
  assert.deepEqual(
    await seqs(true),
    Array.from({ length: 100 }, (_, index) => 20_000 - index),
  );
  assert.deepEqual((await entries.readAfter(access, run.id, 199_998, 100, 1e6)).length, 2);
  assert.equal(await entries.find(access, run.id, 200_000), '{"seq":200000}');
  assert.equal(asked.size, 4);
  for (const text of asked) {
    const plan = planOf(database, text);
    assert.ok(plan.includes("SEARCH entries USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"), plan.join("\n"));
    assert.equal(
      plan.some((line) => /SCAN entries|TEMP B-TREE/.test(line)),
      false,
      plan.join("\n"),
    );
  }
});

test("the queue and the list of runs are read by an index, without a sort", async (t) => {
  const { database } = await newStore(t);
  const plans = {
    "select id from runs where status = 'queued' order by queued_at, id limit 1": /USING (COVERING )?INDEX runs_queued/,
    "select count(*) from runs where status = 'queued' and organization_id = 1 and (queued_at, id) <= (1, 1)":
      /COVERING INDEX runs_queue \(organization_id=\? AND queued_at<\?\)/,
    "select id, row_number() over (order by queued_at, id) from runs where status = 'queued' and organization_id = 1":
      /SEARCH runs USING COVERING INDEX runs_queue/,
    "select id from runs where lease_expires_at <= 1 limit 1": /USING (COVERING )?INDEX runs_leased/,
    "select * from runs where organization_id = 1 order by id desc limit 100": /INDEX runs_by_organization/,
    "select * from runs where organization_id = 1 and repository_id = 1 order by id desc limit 100":
      /INDEX runs_by_repository \(repository_id=\? AND organization_id=\?\)/,
    "select count(*) from runs where organization_id = 1 and repository_id = 1": /COVERING INDEX runs_by_repository/,
    "select id from runs where organization_id = 1 order by finished_at desc nulls last, id desc limit 100":
      /SEARCH runs USING COVERING INDEX runs_by_end/,
    "select run_id from run_metadata where organization_id = 1 and name = 'team' and value = 'shop'":
      /SEARCH run_metadata USING PRIMARY KEY \(organization_id=\? AND name=\? AND value=\?\)/,
    "select * from webhook_events where organization_id = 1 and id > 7 and id <= 9 order by id limit 101":
      /SEARCH webhook_events USING (INDEX webhook_events_by_organization|INTEGER PRIMARY KEY)/,
    "select id from tokens where hash = x'00' and revoked_at is null": /INDEX sqlite_autoindex_tokens_1/,
    "select id from shares where hash = x'00' and revoked_at is null": /INDEX sqlite_autoindex_shares_1/,
  };
  for (const [text, expected] of Object.entries(plans)) {
    const plan = planOf(database, text).join("\n");
    assert.match(plan, expected);
    assert.doesNotMatch(plan, /TEMP B-TREE/);
  }
});

test("the webhook deliveries that are due next are found by indexes, in order", async (t) => {
  const { file, database } = await newStore(t);
  const dialect = await openSqlite(file);
  t.after(() => dialect.close());
  let searched = "";
  const readAll: Dialect["readAll"] = (statement, given) => {
    searched = statement.text;
    return dialect.readAll(statement, given);
  };
  assert.equal(await claimDue({ ...dialect, readAll }, "engine", 1000, ["slow.example"], 0), null);
  const plan = planOf(database, searched).join("\n");
  assert.match(plan, /SEARCH due USING INDEX webhook_deliveries_due/);
  assert.match(plan, /SEARCH earlier USING INDEX webhook_deliveries_in_order/);
  // The only thing read as a whole is the list of busy hosts.
  assert.doesNotMatch(plan.replace(/SCAN json_each .*/, ""), /SCAN|TEMP B-TREE/);
  const own = "select * from webhooks where organization_id = 1 and run_id = 1 and state = 'active'";
  assert.match(planOf(database, own).join("\n"), /INDEX webhooks_active/);
});

test("two organizations in one store never see each other's rows", async (t) => {
  const { database, open } = await newStore(t);
  const { store, access, makeRun, startRun, claim } = await openFixture(t, open);
  database.exec(`
    insert into organizations (id, name, created_at) values (2, 'Other', 0);
    insert into users (id, email, full_name, created_at) values (2, null, 'Bob', 0);
    insert into memberships (organization_id, user_id, role, created_at) values (2, 2, 'member', 0);`);
  const other = { organizationId: 2, userId: 2 };
  const repository = { name: "a", fullName: "a", description: null, source: "/a", defaultBranch: null };
  const mine = (await store.repositories.add(access, repository)).repository;
  const theirs = (await store.repositories.add(other, repository)).repository;
  assert.notEqual(mine.id, theirs.id);
  assert.deepEqual(await store.repositories.list(other, {}, all), { items: [theirs], total: 1 });
  assert.deepEqual(await store.repositories.list(access, {}, all), { items: [mine], total: 1 });
  assert.equal(await store.repositories.find(other, mine.id), null);
  await assert.rejects(makeRun({ repositoryId: theirs.id }), /no repository/);

  const { lease, run } = await startRun({ repositoryId: mine.id });
  await store.queue.append(lease, messages(2));
  const own = await store.runs.create(other, {
    prompt: "Fix the build",
    images: [],
    model: null,
    sourceType: "API",
    metadata: {},
    repositoryId: theirs.id,
    baseBranch: null,
    agent: "steps",
    permissionMode: "auto",
  });
  assert.deepEqual(await store.runs.list(other, { q: "build" }, all), { items: [own], total: 1, passed: 0 });
  assert.deepEqual(
    (await store.runs.list(access, {}, all)).items.map(({ id }) => id),
    [run.id],
  );
  assert.deepEqual(await store.runs.list(other, { repositoryId: mine.id }, all), { items: [], total: 0, passed: 0 });
  const claimed = await claim();
  assert.equal(claimed.run.id, own.id);
  await store.queue.append(claimed.lease, messages(2));
  for (const [viewer, foreignRun] of [
    [other, run],
    [access, own],
  ] as const) {
    const page = { ...all, reverse: false, totalLogs: 2 };
    assert.equal(await store.runs.find(viewer, foreignRun.id), null);
    assert.equal(await store.runs.findDiff(viewer, foreignRun.id), null);
    assert.equal(await store.runs.cancel(viewer, foreignRun.id), null);
    assert.equal(await store.entries.find(viewer, foreignRun.id, 1), null);
    assert.deepEqual(await store.entries.readAfter(viewer, foreignRun.id, 0, 100, 1e6), []);
    assert.equal((await store.entries.readPage(viewer, foreignRun.id, page)).length, 0);
  }
  assert.deepEqual(
    (await store.organizations.listUsers(other, all)).items.map(({ fullName }) => fullName),
    ["Bob"],
  );
  assert.equal(await store.organizations.findUser(other, access.userId), null);
  const { items, total } = await store.organizations.listOfUser(2, all);
  assert.deepEqual([items.map(({ id, name }) => [id, name]), total], [[[2, "Other"]], 1]);
});

test("what is appended while another write fails stays, and the failed write leaves nothing", async (t) => {
  const { open } = await newStore(t);
  const { store, access, makeRun, startRun } = await openFixture(t, open);
  const { lease, run } = await startRun();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? makeRun({ repositoryId: 4711 }) : store.queue.append(lease, messages(2)),
    ),
  );
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 20);
  assert.equal((await store.runs.find(access, run.id))?.totalLogs, 40);
  assert.equal((await store.entries.readAfter(access, run.id, 0, 1000, 1e9)).length, 40);
  assert.equal((await store.runs.list(access, {}, all)).total, 1);
});

test("failed steps and errors are marked for an outline", async (t) => {
  const { database, open } = await newStore(t);
  const { store, startRun } = await openFixture(t, open);
  const { lease } = await startRun();
  const blank = { created_at: "2026-01-31T12:00:00.000Z", thought: null, observation: null, tool_input: {} };
  const action = { ...blank, message_type: "ACTION", tool_name: "shell" } as const;
  await store.queue.append(lease, [
    { ...action, tool_output: { status: "completed", exit_code: 0 } },
    { ...action, tool_output: { status: "failed" } },
    { ...action, tool_output: { exit_code: 2 } },
    { ...blank, message_type: "ERROR", tool_name: null, tool_input: null, tool_output: null, observation: "x" },
    { ...blank, message_type: "FINAL_ANSWER", tool_name: null, tool_input: null, tool_output: null, observation: "x" },
  ]);
  const marks = database.prepare("select is_error, message_type, created_at from entries order by id").all();
  assert.deepEqual(
    marks.map(({ is_error }) => is_error),
    [0, 1, 1, 1, 0],
  );
  assert.deepEqual(
    marks.map(({ created_at }) => created_at),
    Array(5).fill(Date.parse(blank.created_at)),
  );
});
