import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { NewEntry } from "#lib/contract/entry.ts";
import { acted, messages, openFixture, said } from "./conformance-fixture.ts";
import { migrations } from "./migrations.ts";
import { openStore } from "./open-store.ts";

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

/** The same rows as a store of that version held them, in a file of its own. */
function asWrittenBy(version: number, file: string, oldFile: string): void {
  const database = new DatabaseSync(oldFile);
  database.exec("pragma application_id = 0x45727264; pragma foreign_keys = off");
  for (const step of migrations.slice(0, version)) {
    assert.ok(typeof step === "string");
    database.exec(step);
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
  database.close();
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "errand-store-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

for (const version of [1, 3, 5]) {
  test(`what a store of version ${version} holds is surveyed like what is written today`, async (t) => {
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
