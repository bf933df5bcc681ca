import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { acted, messages, openFixture, said } from "#lib/store/conformance.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";

const outputs = [
  { text: "Exit code 1\nno such test", is_error: true },
  { status: "completed", output: "fine" },
  { status: "failed", exit_code: 1 },
  { output: "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 2\nOutput:\n" },
  { status: "rejected" },
];

/** Calls that failed and others; exit code 1 of grep is an answer. */
const calls = (count: number): NewEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    ...acted("x"),
    tool_name: index % 2 === 0 ? "Bash" : "bash",
    tool_input: { command: index % 3 === 0 ? "grep -q x y" : "make" },
    tool_output: outputs[index % outputs.length] ?? null,
  }));

/** A store whose runs an earlier rule judged, by which nothing failed; `verdicts` reads what is judged now. */
async function openJudgedBefore(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "errand-judge-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  const fixture = await openFixture(t, () => openStore({ file }));
  const { store, access } = fixture;
  const live = await fixture.startRun();
  await store.queue.append(live.lease, [...messages(3), ...calls(700), { ...said("x"), message_type: "ERROR" }]);
  const large = await fixture.startRun();
  await store.queue.append(large.lease, [...calls(2), acted("large".repeat(500_000)), ...calls(3)]);
  await fixture.finish(large.lease);
  await fixture.startRun();
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const verdicts = async (of: Store = store) => {
    const errors = database.prepare("select id from entries where is_error = 1 order by id").all();
    const facts = await of.entries.facts(access, live.run.id, { first: 1, last: 9999 });
    return { errors: errors.map(({ id }) => id), kinds: String.fromCharCode(...facts.kinds) };
  };
  const expected = await verdicts();
  assert.ok(expected.errors.length > 300);
  database.exec("update runs set facts_version = 0; update entries set is_error = 0");
  database.exec("update entry_blocks set kinds = lower(kinds)");
  const waiting = () => database.prepare("select count(*) as n from runs where facts_version = 0").get()?.n;
  return { ...fixture, file, live, large, verdicts, expected, waiting };
}

test("runs that an earlier rule judged are judged again, in every block, and new ones are not", async (t) => {
  const { store, verdicts, expected, waiting } = await openJudgedBefore(t);
  assert.equal(waiting(), 3);
  let pieces = 0;
  while (await store.judgeAgain()) pieces += 1;
  assert.deepEqual([await verdicts(), waiting()], [expected, 0]);
  // 704 entries in blocks of 256, the large one apart, and an end for each run.
  assert.ok(pieces >= 3 + 2 + 3, `${pieces} pieces`);
  assert.deepEqual(await store.check(), []);
});

test("what is appended in the meantime stays, a deleted run is passed over, and another process goes on after a kill", async (t) => {
  const { store, access, file, live, large, verdicts, expected, waiting } = await openJudgedBefore(t);
  for (let piece = 0; piece < 2; piece += 1) assert.ok(await store.judgeAgain());
  const failure: NewEntry = { ...acted("x"), tool_output: { status: "failed" } };
  await store.queue.append(live.lease, [failure, said("more")]);
  const other = await openStore({ file });
  t.after(() => other.close());
  for (let piece = 0; piece < 5; piece += 1) assert.ok(await other.judgeAgain());
  await store.removals.removeRun(access, large.run.id);
  while (await other.judgeAgain());
  const { kinds } = await verdicts(other);
  assert.deepEqual([kinds, waiting()], [`${expected.kinds}Ae`, 0]);
});
