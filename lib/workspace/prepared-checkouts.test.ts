// Tier: rest
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, chownSync, readdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { countOf } from "#lib/test-counts.fixture.ts";
import { attachAgain } from "./attached-layers.ts";
import { toProcessEnv } from "./environment.ts";
import { commitAndKeep } from "./finish.ts";
import { probeLayers } from "./layers-probe.ts";
import { hashOf, openScene, setupScript } from "./prepared.fixture.ts";
import { copy, listPrepared, readPrepared, removePrepared } from "./prepared-checkouts.ts";
import { commitAll, git, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { probeWall } from "./wall-probe.ts";

const probed = { dataDir: tmpdir(), env: testEnv, user: null, hidden: [] };
const holds = (await probeWall(probed)).holds && (await probeLayers(probed)).holds;
const skip = holds ? false : "the wall or its layers do not hold here";
const isRoot = process.getuid?.() === 0;
const users = isRoot ? [null, { uid: 54_321, gid: 54_321 }] : [null];

test("these guarantees hold for a service that is not root", {
  skip: isRoot ? skip : "this one is not root",
}, async (t) => {
  const asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
  const args = [...asNobody, process.execPath, "--test", "--test-name-pattern=/^a run of/", import.meta.filename];
  const folder = temporaryFolder(t);
  chownSync(folder, 65_534, 65_534);
  const env = toProcessEnv({ PATH: testEnv.PATH, TMPDIR: folder, HOME: folder });
  const { stdout } = await promisify(execFile)("setpriv", args, { env, timeout: 300_000 });
  assert.match(stdout, /pass 1/);
  assert.match(stdout, /fail 0/);
});

for (const user of skip === false ? users : []) {
  const cast = user === null ? "the service's user" : "a user of its own";
  test(`a run of ${cast} gets what the setup of another run made, and its changes stay its own`, async (t) => {
    const { open, say, keep, attach, kept, place, dataDir } = openScene(t, user);
    const first = await open(1);
    assert.equal(await say(first, null, setupScript()), "");
    const keeping = await keep(first);
    assert.ok("kept" in keeping && keeping.kept.bytes > 1_500_000 && keeping.kept.files > 650, JSON.stringify(keeping));
    const before = hashOf(kept);

    const second = await open(2);
    const attached = await attach(second);
    assert.ok(attached);
    assert.deepEqual(attached.manifest.layers, [
      { place: "checkout", path: "node_modules" },
      { place: "home", path: ".npm" },
    ]);
    assert.deepEqual(attached.manifest.copies.toSorted(), [".env", "packages/a/node_modules"]);
    const look = `cat node_modules/dep/400.js .env packages/a/node_modules/dep/7.js; node_modules/dep/bin/tool
      ls ~/.npm/_cacache | wc -l; git status --porcelain`;
    assert.equal(await say(second, attached.space, look), "module 400\nVARIABLE=1\nmodule 7\nran\n250\n");
    const change = `echo changed > node_modules/dep/1.js; rm -r node_modules/dep/bin; mkdir node_modules/dep/bin
      echo own > node_modules/own; mv node_modules/dep/2.js node_modules/dep/moved.js; chmod 600 node_modules/dep/3.js; rm -r ~/.npm/*`;
    assert.equal(await say(second, attached.space, change), "");
    const changed = "changed\nown\nmodule 2\n0\n";
    const lookAgain = `cat node_modules/dep/1.js node_modules/own node_modules/dep/moved.js; ls -A node_modules/dep/bin | wc -l`;
    assert.equal(await say(second, attached.space, lookAgain), changed, "a wall sees what another of its turn wrote");
    assert.equal(hashOf(kept), before, "nothing kept is changed");
    assert.equal(await removePrepared(place), false, "what is mounted is not removed");
    await attached.space.close();

    const again = await attachAgain(second.folders);
    assert.ok(typeof again === "object");
    assert.equal(await say(second, again, lookAgain), changed, "a later turn has what it changed");
    await again.close();
    const third = await open(3);
    const other = await attach(third);
    assert.ok(other);
    assert.equal(
      await say(third, other.space, `${look}; ls node_modules`),
      "module 400\nVARIABLE=1\nmodule 7\nran\n250\ndep\n",
    );
    const seen = await say(third, other.space, "cat /proc/self/mountinfo");
    assert.match(seen, /lowerdir=prepared/);
    assert.ok(!seen.includes(dataDir), "the wall does not tell where the data folder is");
    await other.space.close();

    assert.equal(await removePrepared(place), true);
    assert.deepEqual(await listPrepared(dataDir), []);
    assert.deepEqual([await attachAgain(second.folders), await attachAgain(first.folders)], ["gone", "none"]);
    assert.equal(await attach(await open(4)), null);
  });
}

test("concurrent runs that delete and rewrite prepared files do not change the originals or see each other's changes", {
  skip,
}, async (t) => {
  const { open, say, keep, attach, kept } = openScene(t, null);
  const first = await open(1);
  await say(first, null, setupScript());
  await keep(first);
  const before = hashOf(kept);
  const count = countOf({ short: 4, long: 200 });
  const runs = await Promise.all(Array.from({ length: count }, (_, at) => open(at + 2)));
  const said = await Promise.all(
    runs.map(async (run) => {
      const attached = await attach(run);
      assert.ok(attached);
      const mark = `run ${run.folders.runId}`;
      const script = `cat node_modules/dep/*.js | wc -l; rm -rf node_modules/* ~/.npm/*; ls -A node_modules | wc -l
        for n in $(seq 400); do mkdir -p node_modules/dep; echo '${mark}' > node_modules/dep/$n.js; done
        echo '${mark}' > ~/.npm/own; sleep 0.2; cat node_modules/dep/*.js ~/.npm/* | sort | uniq -c`;
      const said = await say(run, attached.space, script);
      await attached.space.close();
      return [said.replaceAll(/ +/g, " "), mark];
    }),
  );
  for (const [lines, mark] of said) assert.equal(lines, `401\n0\n 401 ${mark}\n`);
  assert.equal(hashOf(kept), before);
});

test("a run commits the same with and without a prepared checkout", { skip }, async (t) => {
  const { open, say, keep, attach } = openScene(t, null);
  const first = await open(1);
  await say(first, null, setupScript());
  await keep(first);
  const work = "echo work > work; echo more >> packages/a/file";
  const diffs: string[] = [];
  for (const [runId, isPrepared] of [
    [2, true],
    [3, false],
  ] as const) {
    const run = await open(runId);
    const attached = isPrepared ? await attach(run) : null;
    // Even if the run un-ignores it, it is not part of the run's work: git reads the folder below the layer.
    await say(
      run,
      attached?.space ?? null,
      `${work}; echo .env > .gitignore; ${isPrepared ? "echo x > node_modules/new" : ""}`,
    );
    await attached?.space.close();
    const message = "work";
    const { diff } = await commitAndKeep({ checkout: run.checkout, message, env: testEnv });
    diffs.push(Buffer.from(diff).toString());
  }
  assert.ok(diffs[0]?.includes("+work"));
  // Copied files count as the run's own once the run un-ignores them.
  const ofPrepared = diffs[0]?.replace(/diff --git a\/packages\/a\/node_modules[\s\S]*?(?=diff --git|$)/, "");
  assert.equal(ofPrepared, diffs[1]);
});

test("a prepared checkout that does not fit a run's commit, or would be written through a link, is not used", {
  skip,
}, async (t) => {
  const outside = temporaryFolder(t);
  const { source, open, say, keep, attach } = openScene(t, null, { "packages/b/file": "b\n" });
  const first = await open(1);
  await say(first, null, `${setupScript()}; mkdir -p packages/b; echo local > packages/b/x.local`);
  await keep(first);
  writeFiles(source, { "node_modules/own": "tracked\n" });
  git(source, "add", "--force", "node_modules/own");
  commitAll(source, "tracks a part of it");
  const second = await open(2);
  rmSync(join(second.checkout.path, "node_modules"), { recursive: true });
  assert.ok(await attach(second), "an empty place is free");
  assert.equal(await attach(await open(3)).catch(String), null);
  rmSync(join(source, "packages/b"), { recursive: true });
  rmSync(join(source, "node_modules"), { recursive: true });
  symlinkSync(outside, join(source, "packages/b"));
  commitAll(source, "a link in the place of a folder");
  assert.equal(await attach(await open(4)), null);
  assert.deepEqual(readdirSync(outside), []);
});

test("a prepared checkout that has a secret, is too large for its limit or the disk, or is empty is not kept, and the attempt leaves nothing behind", {
  skip,
}, async (t) => {
  const { dataDir, place, open, say, keep } = openScene(t, null);
  const secret = "s3cret-of-the-setup";
  for (const [runId, more] of [
    [1, `echo "//registry/:_authToken=${secret}" > node_modules/dep/.npmrc`],
    [2, `touch node_modules/dep/${secret}`],
    [3, `ln -s /${secret} node_modules/dep/link`],
  ] as const) {
    const run = await open(runId);
    await say(run, null, `${setupScript()}; ${more}`);
    assert.deepEqual(await keep(run, { secrets: ["other", secret] }), { why: "it contains a secret of the setup" });
  }
  const run = await open(4);
  assert.deepEqual(await keep(run), { why: "the setup left nothing that git ignores" });
  await say(run, null, setupScript());
  assert.match(
    Object.assign({ why: "" }, await keep(run, { bytesMax: 1_000_000 })).why,
    /^it is [\d.]+ [KM]?B, and the setup cache can be at most \d/,
  );
  const { why } = Object.assign({ why: "" }, await keep(run, { leftBytes: Number.MAX_SAFE_INTEGER }));
  assert.match(why, /^it is [\d.]+ [KM]?B, and too little of the disk would be free$/);
  await say(run, null, "for n in $(seq 5001); do echo > $n.local; done");
  assert.match(
    Object.assign({ why: "" }, await keep(run)).why,
    /^the setup left 5,\d+ files outside of its 24 largest/,
  );
  assert.equal(await readPrepared(place), null);
  assert.deepEqual(readdirSync(join(dataDir, "prepared/1")), []);
});

test("a copy that fails says why, without paths", async (t) => {
  const [from, to] = [temporaryFolder(t), temporaryFolder(t)];
  const failing = (reason: string) => ({
    code: "copy_failed",
    message: `The files could not be copied: ${reason}.`,
  });
  await assert.rejects(copy(join(from, "a: b"), to), failing("No such file or directory"));
  // A file does not replace a folder.
  writeFiles(from, { "a: b": "", c: "" });
  writeFiles(to, { "a: b/d": "", "c/d": "" });
  await assert.rejects(copy(from, to), failing("cp did not say why"));
});

test("what a loss of power damaged counts as not kept, and is made again", { skip }, async (t) => {
  const { dataDir, kept, open, say, keep, attach } = openScene(t, null);
  const first = await open(1);
  await say(first, null, setupScript());
  await keep(first);
  const second = await open(2);
  await (await attach(second))?.space.close();
  const third = await open(3);
  await (await attach(third))?.space.close();
  truncateSync(join(dataDir, "layers/3/attached.json"), 0);
  assert.equal(await attachAgain(third.folders), "gone");
  chmodSync(join(kept, "manifest.json"), 0o644);
  truncateSync(join(kept, "manifest.json"), 0);
  assert.equal(await attachAgain(second.folders), "gone");
  assert.equal(await attach(await open(4)), null);
  assert.ok("kept" in (await keep(first)));
  assert.ok(await attach(await open(5)));
});

test("caches in a home that the setup commands made a link are not kept", { skip }, async (t) => {
  const { open, say, keep, dataDir, kept } = openScene(t, null);
  const first = await open(1);
  writeFiles(dataDir, { "lib/secret.key": "of the service\n", "lib/errand.db": "of others\n" });
  const links = `ln -s '${dataDir}' ~/.local; ln -s '${dataDir}/lib' ~/.npm`;
  assert.equal(await say(first, null, `${setupScript()}; rm -r ~/.npm; ${links}`), "");
  assert.ok("kept" in (await keep(first)));
  const found = await promisify(execFile)("grep", ["-rlE", "of (the service|others)", kept]).catch(() => null);
  assert.equal(found, null);
});
