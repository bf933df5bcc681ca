// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { attachAgain } from "./attached-layers.ts";
import { probeLayers } from "./layers-probe.ts";
import { openScene, type SceneRun, setupScript } from "./prepared.fixture.ts";
import { testEnv } from "./test-repository.ts";
import { probeWall } from "./wall-probe.ts";

const probed = { dataDir: tmpdir(), env: testEnv, user: null, hidden: [] };
const holds = (await probeWall(probed)).holds && (await probeLayers(probed)).holds;
const skip = holds ? false : "the wall or its layers do not hold here";

test("a setup replaces what was kept before it began, unless a run uses that, and leaves what another has kept meanwhile", {
  skip,
}, async (t) => {
  const { open, say, keep, attach } = openScene(t, null);
  const [first, second, third] = [await open(1), await open(2), await open(3)];
  for (const [run, name] of [
    [first, "old"],
    [second, "new"],
  ] as const) {
    await say(run, null, `${setupScript()}; echo ${name} > node_modules/dep/1.js`);
  }
  const seen = async (run: SceneRun) => {
    const attached = await attach(run);
    const said = await say(run, attached?.space ?? null, "cat node_modules/dep/1.js");
    return { space: attached?.space, said };
  };
  assert.ok("kept" in (await keep(first)));
  const begunAt = Date.now() + 1;
  const { space, said } = await seen(third);
  assert.equal(said, "old\n");
  assert.deepEqual(await keep(second, { begunAt }), { why: "another run still uses the old one" });
  assert.equal(await say(third, space ?? null, "cat node_modules/dep/1.js"), "old\n");
  await space?.close();
  assert.ok("kept" in (await keep(second, { begunAt })));
  assert.ok("kept" in (await keep(first, { begunAt })));
  assert.equal((await seen(await open(4))).said, "new\n");
});

for (const writer of ["this", "an earlier"]) {
  test(`the changes of a run are not mounted over what replaced the layers that ${writer} version gave it`, {
    skip,
  }, async (t) => {
    const { dataDir, kept, open, say, keep, attach } = openScene(t, null);
    const [first, second, third] = [await open(1), await open(2), await open(3)];
    await say(first, null, setupScript());
    // The folder with the most files is the first layer, so the layers change places.
    await say(second, null, `${setupScript()}; for n in $(seq 600); do echo $n > ~/.npm/_cacache/more-$n; done`);
    await keep(first);
    await (await attach(third))?.space.close();
    const notes = [join(kept, "manifest.json"), join(dataDir, "layers/3/attached.json")];
    for (const note of writer === "this" ? [] : notes) {
      chmodSync(note, 0o644);
      writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), id: undefined }));
    }
    const again = await attachAgain(third.folders);
    assert.ok(typeof again === "object");
    assert.equal(await say(third, again, "cat node_modules/dep/1.js"), "module 1\n");
    await again.close();
    assert.ok("kept" in (await keep(second, { begunAt: Date.now() + 1 })));
    const replaced = await attachAgain(third.folders);
    if (typeof replaced === "object") await replaced.close();
    assert.equal(replaced, "gone");
  });
}
