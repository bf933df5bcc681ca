import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openFixture } from "#lib/store/conformance.fixture.ts";
import { openStore } from "./open-store.ts";

const prompts = [
  'Fix "the build", AND NOT the tests',
  "fix THE Build's e_1 * 100%",
  "Größe ändern, STRASSE und Straße",
  "İstanbul'da KELVIN \u212aelvin",
  "ΟΔΟΣ οδος Σίσυφος",
  "世界を見る、全世界",
  "😀😀😀 ok",
  "ab",
  "",
];

async function fileOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "errand-prompts-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "errand.db");
}

const all = { skip: 0, limit: 100 };

test("every part of a prompt finds what reading all prompts would find, in all alphabets", async (t) => {
  const file = await fileOf(t);
  const { store, access, makeRun } = await openFixture(t, () => openStore({ file }));
  for (const prompt of prompts) await makeRun({ prompt });
  const parts = new Set(
    prompts
      .flatMap((prompt) =>
        Array.from({ length: prompt.length }, (_, at) =>
          [2, 3, 4, 9, 40].map((length) => prompt.slice(at, at + length)),
        ),
      )
      .flat(),
  );
  const wellFormed = [...parts].filter((part) => part.isWellFormed());
  for (const part of wellFormed.flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()])) {
    const found = (await store.runs.list(access, { q: part }, all)).items.map(({ prompt }) => prompt).reverse();
    const expected = prompts.filter((prompt) => prompt.toLowerCase().includes(part.toLowerCase()));
    assert.deepEqual(found, expected, JSON.stringify(part));
  }
});

test("a deleted prompt leaves the index, and the prompts of a store without one are added", async (t) => {
  const file = await fileOf(t);
  const { store, access, startRun, finish } = await openFixture(t, () => openStore({ file }));
  const indexed = (text: string) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const { count } = database
      .prepare("select count(*) as count from prompt_index where prompt_index match ?")
      .get(text) as {
      count: number;
    };
    database.close();
    return count;
  };
  const kept = await startRun({ prompt: "okapi" });
  const gone = await startRun({ prompt: "zebra" });
  for (const { lease } of [kept, gone]) await finish(lease);
  assert.deepEqual(["oka", "zeb"].map(indexed), [1, 1]);
  await store.removals.removeRun(access, gone.run.id);
  assert.deepEqual(["oka", "zeb"].map(indexed), [1, 0]);

  const database = new DatabaseSync(file);
  for (const what of ["trigger prompt_added", "trigger prompt_removed", "trigger prompt_changed", "table prompt_index"])
    database.exec(`drop ${what}`);
  database.close();
  const again = await openStore({ file });
  t.after(() => again.close());
  assert.equal((await again.runs.list(access, { q: "OKAPI" }, all)).total, 1);
  assert.deepEqual(["oka", "zeb"].map(indexed), [1, 0]);
});
