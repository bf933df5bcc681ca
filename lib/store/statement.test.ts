import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openSqlite } from "#lib/store/sqlite/sqlite-dialect.ts";
import { compiledStatement, named, runIn, statement, valuesOf } from "./statement.ts";

async function openDialect(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "errand-statement-"));
  const dialect = await openSqlite(join(folder, "errand.db"));
  t.after(async () => {
    await dialect.close();
    await rm(folder, { recursive: true });
  });
  return dialect;
}

test("values are given by name, in any order and as often as the statement names them", async (t) => {
  const { readAll, writer } = await openDialect(t);
  const sums = statement<{ one: number; two: number }, { sum: number; text: string }>(
    "select :two * 10 + :one + :two as sum, 'one' as text where :one < :two",
  );
  assert.deepEqual(
    (await readAll(sums, { one: 1, two: 2 })).map(({ sum, text }) => [sum, text]),
    [[23, "one"]],
  );
  assert.deepEqual(await readAll(sums, { two: 1, one: 2 }), []);
  const inside = await writer.transaction().execute((trx) => runIn(trx, sums, { two: 3, one: 1 }));
  assert.equal(inside[0]?.sum, 34);
});

test("a missing value is named in the error, and never taken for null", async (t) => {
  const { readAll } = await openDialect(t);
  const two = statement<{ one: number | null; other: number }>("select :one as one, :other as other");
  assert.deepEqual(valuesOf(two, { other: 5, one: null }), [null, 5]);
  const given: { one: number; other: number } = JSON.parse('{"one":1}');
  await assert.rejects(async () => readAll(two, given), /The value "other" is missing: select/);
});

test("a query of Kysely's takes its values by name too, and refuses any without one", async (t) => {
  const { reader, readAll } = await openDialect(t);
  const runs = reader.selectFrom("runs").select("id");
  const query = runs.where("organization_id", ">", named<number>("above")).where("id", "=", named<number>("run"));
  const found = compiledStatement<{ run: number; above: number }, { id: number }>(query.compile());
  assert.deepEqual(valuesOf(found, { run: 7, above: 3 }), [3, 7]);
  assert.deepEqual(await readAll(found, { run: 7, above: 3 }), []);
  assert.throws(() => compiledStatement(runs.where("id", "=", 0).compile()), /A value of a statement has no name/);
});

test("a statement runs for each of many values in one transaction, all or none", async (t) => {
  const { writer, reader, readAll, runAll } = await openDialect(t);
  const add = statement<{ name: string; at: number }>(
    "insert into organizations (name, created_at) values (:name, :at)",
  );
  const before = await reader.selectFrom("organizations").select("id").execute();
  const names = ["a", "b", "c"];
  await writer.transaction().execute(async () =>
    runAll(
      add,
      names.map((name, at) => ({ at, name })),
    ),
  );
  const broken = writer
    .transaction()
    .execute(async () => runAll(add, [{ name: "d", at: 1 }, JSON.parse('{"name":"e"}')]));
  await assert.rejects(broken, /The value "at" is missing/);
  const all = statement<Record<never, never>, { name: string; created_at: number }>(
    "select name, created_at from organizations order by id",
  );
  assert.deepEqual(
    (await readAll(all, {})).slice(before.length).map(({ name, created_at }) => [name, created_at]),
    [
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ],
  );
});
