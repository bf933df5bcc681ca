// Tier: rest
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { messages } from "#lib/store/conformance.fixture.ts";
import { damageEntries } from "#lib/store/storage/damaged-store.fixture.ts";
import { errand, openFolder } from "./data-folder.fixture.ts";

test("doctor says that a store is damaged, and how to go on, although everything else in it can be read", async (t) => {
  const { dataDir, store, access, run } = await openFolder(t);
  await store.external.append(access, run.id, messages(300));
  await store.close();
  damageEntries(dataDir);
  const { code, out, err } = await errand(dataDir, "doctor");
  assert.deepEqual([code, err], [1, ""]);
  const finding = /^-- {2}store {8}(.*)$/m.exec(out)?.[1] ?? out;
  assert.equal(finding, `The store ${join(dataDir, "errand.db")} is damaged: restore a backup`);
});

test("doctor says that agents.json is invalid, and why, without what is in it", async (t) => {
  const { dataDir, store } = await openFolder(t);
  await store.close();
  writeFileSync(join(dataDir, "agents.json"), '{ "mine": { "env": { "KEY": "sk-4711" oops } } }');
  const { code, out } = await errand(dataDir, "doctor");
  assert.equal(code, 1);
  assert.match(out, /^-- {2}agents\.json {2}.*is not JSON/m);
  assert.ok(!out.includes("sk-4711"));
});
