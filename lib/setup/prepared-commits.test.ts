// Tier: rest
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { commitAndKeep } from "#lib/workspace/finish.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import { openScene, setupScript } from "#lib/workspace/prepared.fixture.ts";
import { commitAll, testEnv, writeFiles } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { ecosystemFixtures } from "./ecosystem-fixtures.fixture.ts";

const probed = { dataDir: tmpdir(), env: testEnv, user: null, hidden: [] };
const holds = (await probeWall(probed)).holds && (await probeLayers(probed)).holds;
const skip = holds ? false : "the wall or its layers do not hold here";

const folders = [".venv", "target", "vendor", "build", "_build", ".gradle", "obj"];
const ignored = `node_modules/\n.env\n${folders.map((name) => `/${name}/\n`).join("")}`;
const install = `${setupScript()}
for folder in ${folders.join(" ")}; do mkdir $folder; for n in $(seq 201); do echo $n > $folder/$n; done; done`;

test("in every ecosystem the commit of a run with a prepared checkout has its work in it, as without one, and nothing else", {
  skip,
}, async (t) => {
  const { source, open, say, keep, attach } = openScene(t, null, { ".gitignore": ignored });
  const first = await open(1);
  assert.equal(await say(first, null, install), "");
  assert.ok("kept" in (await keep(first)));
  const every = ecosystemFixtures.length / countOf({ short: 4, long: ecosystemFixtures.length });
  for (const [at, { name, files }] of ecosystemFixtures.entries()) {
    if (at % every !== 0) continue;
    for (const path of readdirSync(source)) {
      if (path !== ".git") rmSync(join(source, path), { recursive: true });
    }
    writeFiles(source, { ".gitignore": ignored, ...files });
    commitAll(source, name);
    const paths = Object.keys(files);
    const work = `echo new > work.txt; for path in ${paths.map((path) => `'${path}'`).join(" ")}; do echo more >> $path; done`;
    const diffs: string[] = [];
    for (const isPrepared of [true, false]) {
      const run = await open(2 + 2 * at + Number(isPrepared));
      const attached = isPrepared ? await attach(run) : null;
      assert.equal(attached?.manifest.layers.length ?? 0, isPrepared ? folders.length + 2 : 0);
      const inLayers = "; echo own > node_modules/own; rm -r target/* build/7; echo changed > .venv/1";
      assert.equal(await say(run, attached?.space ?? null, isPrepared ? `${work}${inLayers}` : work), "");
      await attached?.space.close();
      const { diff } = await commitAndKeep({ checkout: run.checkout, message: name, env: testEnv });
      diffs.push(Buffer.from(diff).toString());
    }
    assert.equal(diffs[0], diffs[1], name);
    const changed = Array.from((diffs[0] ?? "").matchAll(/^diff --git a\/(.+) b\/\1$/gm), ([, path]) => path);
    assert.deepEqual(changed.toSorted(), [...paths, "work.txt"].sort(), name);
  }
});
