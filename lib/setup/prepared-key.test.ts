// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commitAll, makeRepository, temporaryFolder, testEnv, writeFiles } from "#lib/workspace/test-repository.ts";
import { ecosystemFixtures } from "./ecosystem-fixtures.fixture.ts";
import { type KeyedSetup, preparedKey } from "./prepared-key.ts";

const user = { uid: 1000, gid: 1000 };
const commands = { install: ["npm ci"], build: [], inputs: [] };

/** The key for the newest commit of a repository. */
async function keyOf(folder: string, changes: Partial<KeyedSetup> = {}): Promise<string> {
  const setup = { gitDir: join(folder, ".git"), commit: "HEAD", commands, user, path: "/workspace", env: testEnv };
  return (await preparedKey({ ...setup, ...changes })).key;
}

for (const { name, files, commands: found, inputs } of ecosystemFixtures) {
  test(`${name}: another lockfile or manifest is another key, another README the same`, async (t) => {
    const folder = temporaryFolder(t);
    makeRepository(folder, { ".gitignore": "ignored\n", "README.md": "one\n", ...files });
    const before = await keyOf(folder, { commands: { ...commands, inputs } });
    writeFiles(folder, { "README.md": "two\n", "src/new.txt": "new\n" });
    commitAll(folder, "a README");
    const dependsOn = inputs[0] ?? found[0]?.[2].replace(/:\d+$/, "") ?? "";
    const isKnown =
      inputs.length > 0 || /\.(xml|kts|gradle|sln|csproj)$|pyproject|CMakeLists|package\.json|mod$/.test(dependsOn);
    const same = await keyOf(folder, { commands: { ...commands, inputs } });
    // A repository that only has its own tasks does not say what they depend on, so all of it counts.
    assert.equal(same === before, isKnown, `${dependsOn} decides`);
    writeFiles(folder, { [dependsOn]: `${files[dependsOn]}\n` });
    commitAll(folder, "a lockfile");
    assert.notEqual(await keyOf(folder, { commands: { ...commands, inputs } }), same);
  });
}

test("commands, inputs, ignore rules, tools, user and path are each part of the key", async (t) => {
  const folder = temporaryFolder(t);
  makeRepository(folder, { "package.json": "{}", "tools/list.txt": "a\n", "ä/x": "1\n" });
  const bin = temporaryFolder(t);
  const env = { PATH: `${bin}:${testEnv.PATH}` };
  const inputs = ["./tools//list.txt", "ä/x"];
  const keys = new Set([
    await keyOf(folder),
    await keyOf(folder, { commands: { ...commands, install: ["npm install"] } }),
    await keyOf(folder, { commands: { ...commands, build: ["npm run build"] } }),
    await keyOf(folder, { commands: { ...commands, inputs } }),
    await keyOf(folder, { user: { uid: 1001, gid: 1000 } }),
    await keyOf(folder, { path: "/other" }),
  ]);
  const add = async (changes: Partial<KeyedSetup> = {}) => keys.add(await keyOf(folder, changes));
  writeFileSync(join(bin, "node"), "#!/bin/sh\n");
  chmodSync(join(bin, "node"), 0o755);
  await add({ env });
  writeFileSync(join(bin, "node"), "#!/bin/sh\n# newer\n");
  await add({ env });
  for (const path of ["tools/list.txt", "ä/x"]) {
    writeFiles(folder, { [path]: "other\n" });
    commitAll(folder, "an input");
    await add({ commands: { ...commands, inputs } });
  }
  assert.ok(keys.has(await keyOf(folder)), "what is no input has no part");
  writeFiles(folder, { "a/.gitignore": "ignored\n" });
  commitAll(folder, "a rule");
  await add();
  assert.equal(keys.size, 11);
});
