import assert from "node:assert/strict";
import { test } from "node:test";
import { tables } from "#lib/store/tables.ts";

test("every row that names a run goes with it", () => {
  const columns = Object.entries(tables).flatMap(([table, { columns }]) =>
    Object.entries(columns).map(([name, { sql }]) => ({ at: `${table}.${name}`, name, sql })),
  );
  const naming = columns.filter(({ name, sql }) => name === "run_id" || sql.includes("references runs "));
  assert.ok(naming.length > 15);
  assert.deepEqual(
    naming.filter(
      ({ sql }) => !sql.endsWith("references runs (id) on delete cascade") && !sql.includes("cascade unique"),
    ),
    naming.filter(({ at }) => at === "pending_deletions.run_id"),
  );
});
