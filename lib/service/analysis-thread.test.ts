import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { ApiError } from "#lib/contract/error.ts";
import { openAnalysisReader } from "#lib/store/entries/analysis-reader.ts";
import { entryId } from "#lib/store/entries/entry-id.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { AnalysisRuns, type AskedRun } from "./analysis-runs.ts";
import { openAnalysisThread } from "./analysis-threads.ts";

const lib = resolve(import.meta.dirname, "..");

/** Modules that a module loads at run time, directly or indirectly; type-only imports load nothing. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!file.endsWith(".ts")) return found;
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";$/gm);
  for (const [, name = ""] of imports) {
    if (name.startsWith("#lib/")) loadedBy(join(lib, name.slice("#lib/".length)), found);
    else if (name.startsWith(".")) loadedBy(resolve(file, "..", name), found);
    else found.add(name);
  }
  return found;
}

test("the thread that analyzes loads no schemas: they would be most of its memory and of its start", () => {
  const loaded = loadedBy(join(lib, "service/analysis-thread.ts"));
  assert.ok(loaded.has(join(lib, "analysis/rules/run-limit.ts")), "the rules are found");
  assert.deepEqual(
    [...loaded].filter((name) => !name.endsWith(".ts") && !name.startsWith("node:")),
    [],
  );
});

/** A store with the entries of run 1, another connection to it, and how to ask for a run. */
async function storeOf(t: TestContext, entries: number) {
  const folder = await makeStoreFolder("errand-analysis-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const storeFile = join(folder, "errand.db");
  await (await openStore({ file: storeFile })).close();
  const database = new DatabaseSync(storeFile);
  t.after(() => database.close());
  database
    .prepare(
      `insert into entries (id, message_type, created_at, is_error, body)
      with recursive n (seq) as (select 1 union all select seq + 1 from n where seq < ?)
      select ? + seq, 'PLAN_EVALUATION', 0, 0, '{"message_type":"PLAN_EVALUATION","thought":"I look"}' from n`,
    )
    .run(entries, entryId(1, 0));
  const run = (id: number, totalLogs = entries): AskedRun => ({ id, status: "running", totalLogs });
  return { storeFile, database, run };
}

test("when an analysis cannot be told, everybody who waits for one is told so", async (t) => {
  const { storeFile, database, run } = await storeOf(t, 60_000);
  const analyst = openAnalysisThread({ storeFile });
  t.after(() => analyst.close());
  assert.equal((await analyst.analyse(run(1, 1), 0)).isWhole, true);
  database.exec("drop table run_denials");
  // They are due while the first is read, which takes longer.
  const answers = await Promise.allSettled([1, 2, 3].map((id) => analyst.analyse(run(id), 0)));
  for (const answer of answers) {
    assert.ok(answer.status === "rejected");
    assert.match(String(answer.reason), /no such table: run_denials/);
  }
});

test("a thread that does not answer is left, its callers are told to try again, and the next one answers", async (t) => {
  const { storeFile, database, run } = await storeOf(t, 3);
  const analyst = openAnalysisThread({ storeFile }, { lateMs: 500 });
  t.after(() => analyst.close());
  database.exec("pragma journal_mode = delete; begin exclusive");
  const answers = await Promise.allSettled([1, 2].map((id) => analyst.analyse(run(id), 0)));
  for (const answer of answers) {
    assert.ok(answer.status === "rejected" && answer.reason instanceof ApiError);
    assert.equal(answer.reason.code, "unavailable");
  }
  database.exec("rollback");
  assert.equal((await analyst.analyse(run(1), 60_000)).isWhole, true);
});

test("reading on ends when the run was deleted meanwhile", async (t) => {
  const { storeFile, database, run } = await storeOf(t, 3);
  const reader = openAnalysisReader(storeFile);
  t.after(() => reader.close());
  const runs = new AnalysisRuns(reader);
  assert.equal(runs.readOn(run(1), 0), false);
  database.exec("delete from entries");
  assert.equal(runs.readOn(run(1), 0), true);
  assert.equal(runs.say(run(1)).isWhole, false);
});
