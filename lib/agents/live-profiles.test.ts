import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LiveProfiles } from "./live-profiles.ts";
import { defaultProfile } from "./profiles.ts";

test("a changed agents file is read again; an invalid one is reported once and changes nothing", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "errand-live-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "agents.json");
  const problems: string[] = [];
  const live = await LiveProfiles.open(file, [defaultProfile("one", "One")], (problem) => problems.push(problem));
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

test("an agents file that could not be used is used once it can be, although it was not written again", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "errand-live-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [data, tools, elsewhere] = [join(folder, "data"), join(folder, "tools"), join(folder, "elsewhere")];
  for (const path of [data, elsewhere]) mkdirSync(path);
  symlinkSync(data, tools);
  const file = join(data, "agents.json");
  const problems: string[] = [];
  const live = await LiveProfiles.open(file, [], (problem) => problems.push(problem));
  const titles = async () => (await live.read()).map(({ title }) => title);
  writeFileSync(file, JSON.stringify({ one: { title: "One", command: "one", readable: [tools] } }));
  for (let time = 0; time < 3; time++) assert.deepEqual(await titles(), []);
  assert.match(problems.join("\n"), /^.* contains the data folder, .*$/);
  rmSync(tools);
  symlinkSync(elsewhere, tools);
  assert.deepEqual([await titles(), live.problem], [["One"], null]);

  if (process.getuid?.() === 0) return t.diagnostic("root may read every file");
  writeFileSync(file, JSON.stringify({ two: { title: "Two", command: "two" } }));
  chmodSync(file, 0);
  assert.deepEqual(await titles(), ["One"]);
  assert.match(live.problem ?? "", /cannot be read \(EACCES\)/);
  chmodSync(file, 0o600);
  assert.deepEqual([await titles(), live.problem], [["Two"], null]);
});
