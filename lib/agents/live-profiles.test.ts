import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LiveProfiles } from "./live-profiles.ts";
import { basics } from "./profiles.ts";

test("a changed agents file is read again; an invalid one is reported once and changes nothing", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "errand-live-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "agents.json");
  const problems: string[] = [];
  const live = await LiveProfiles.open(file, [basics("one", "One")], (problem) => problems.push(problem));
  const titles = async () => (await live.read()).map(({ title }) => title);
  assert.deepEqual(await titles(), ["One"]);
  writeFileSync(file, JSON.stringify({ two: { title: "Two", command: "two" } }));
  assert.deepEqual(await titles(), ["One", "Two"]);
  writeFileSync(file, "{");
  assert.deepEqual(await titles(), ["One", "Two"]);
  assert.deepEqual(await titles(), ["One", "Two"]);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /is not JSON/);
  assert.equal(live.problem, problems[0]);
  writeFileSync(file, '{ "two": { "env": { "KEY": "sk-4711" oops } } }');
  await live.read();
  assert.match(live.problem ?? "", /is not JSON/);
  assert.ok(!live.problem?.includes("sk-4711"), live.problem ?? "");
  rmSync(file);
  assert.deepEqual(await titles(), ["One"]);
  assert.equal(live.problem, null);
  assert.deepEqual(
    live.current.map(({ id }) => id),
    ["one"],
  );
});
