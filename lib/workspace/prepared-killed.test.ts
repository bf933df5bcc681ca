// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { countOf } from "#lib/test-counts.fixture.ts";
import { probeLayers } from "./layers-probe.ts";
import { openScene, setupScript } from "./prepared.fixture.ts";
import { readPrepared, removePrepared, sweepPrepared } from "./prepared-checkouts.ts";
import { testEnv } from "./test-repository.ts";
import { probeWall } from "./wall-probe.ts";

const probed = { dataDir: tmpdir(), env: testEnv, user: null, hidden: [] };
const holds = (await probeWall(probed)).holds && (await probeLayers(probed)).holds;
const skip = holds ? false : "the wall or its layers do not hold here";

test("a prepared checkout killed while it is made is not used and leaves nothing behind, in any phase", {
  skip,
}, async (t) => {
  const { dataDir, place, kept, open, say, keep, attach } = openScene(t, null);
  const first = await open(1);
  await say(first, null, setupScript(2000));
  const parent = dirname(kept);
  const making = () =>
    existsSync(parent) ? readdirSync(parent).find((name) => name.startsWith(".making-")) : undefined;
  const inMaking = (path: string) => making() !== undefined && existsSync(join(parent, making() ?? "", path));
  const phases: Record<string, () => boolean> = {
    "the lock is taken": () => existsSync(`${kept}.lock`),
    "a layer is begun": () => inMaking("layers/0"),
    "the second layer is begun": () => inMaking("layers/1"),
    "copies are made": () => inMaking("copies"),
    "the manifest is written": () => inMaking("manifest.json"),
    "it has its name": () => existsSync(kept),
  };
  const count = countOf({ short: 6, long: 100 });
  const seen: Record<string, number> = {};
  for (let round = 0; round < count; round += 1) {
    const [phase, isThere] = Object.entries(phases)[round % Object.keys(phases).length] ?? ["", () => true];
    const given = JSON.stringify({ place, checkout: first.checkout, home: first.folders.home });
    const maker = spawn(process.execPath, [join(import.meta.dirname, "keep-prepared.fixture.ts"), given], {
      ...{ env: testEnv, stdio: ["ignore", "ignore", "inherit"] },
    });
    const ended = once(maker, "exit");
    while (!isThere() && maker.exitCode === null) await delay(0);
    if (round >= Object.keys(phases).length) await delay(Math.random() * 100);
    maker.kill("SIGKILL");
    await ended;
    const found = await readPrepared(place);
    seen[`${phase}: ${found === null ? "nothing" : "whole"}`] = 1;
    if (found !== null) {
      assert.deepEqual(contentOf(join(kept, "layers/0")), contentOf(join(first.checkout.path, "node_modules")));
    }
    const run = await open(round + 2);
    const attached = await attach(run);
    assert.equal(attached === null, found === null, "what is not whole is not used");
    await attached?.space.close();
    await sweepPrepared(dataDir);
    const left = readdirSync(parent).filter((name) => name !== place.key && name !== `${place.key}.lock`);
    assert.deepEqual(left, [], "nothing is left after the next start");
    assert.equal(await removePrepared(place), true);
    rmSync(run.checkout.path, { recursive: true });
  }
  assert.ok(
    Object.keys(seen).some((name) => name.endsWith("nothing")) &&
      Object.keys(seen).some((name) => name.endsWith("whole")),
  );
  assert.ok("kept" in (await keep(first)), "the lock of a killed maker keeps nobody out");
  assert.deepEqual(readdirSync(parent), [place.key]);
});

test("a killed service leaves no mounts or processes of its runs, and what they had mounted can be removed", {
  skip,
}, async (t) => {
  const { dataDir, place, open, say, keep } = openScene(t, null);
  const first = await open(1);
  await say(first, null, setupScript());
  assert.ok("kept" in (await keep(first)));
  const mounts = () => readFileSync("/proc/self/mounts", "utf8");
  const before = mounts();
  const count = countOf({ short: 2, long: 20 });
  for (let round = 0; round < count; round += 1) {
    const { folders } = await open(round + 2);
    const given = JSON.stringify({ place, run: folders });
    const service = spawn(process.execPath, [join(import.meta.dirname, "use-prepared.fixture.ts"), given], {
      ...{ env: testEnv, stdio: ["ignore", "pipe", "inherit"] },
    });
    await once(service.stdout, "data");
    assert.equal(await removePrepared(place), false, "it is mounted");
    service.kill("SIGKILL");
    const deadline = Date.now() + 12_000;
    while (seenBy(place.key).length > 0) {
      assert.ok(Date.now() < deadline, `it is still mounted for ${seenBy(place.key).join(", ")}`);
      await delay(20);
    }
  }
  assert.equal(mounts(), before);
  assert.equal(await removePrepared(place), true);
  assert.deepEqual(readdirSync(join(dataDir, "prepared/1")), []);
});

/** Ids of the processes in whose namespace it is mounted. */
function seenBy(key: string): string[] {
  return readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/mountinfo`, "latin1").includes(`/${key}/`);
    } catch {
      return false;
    }
  });
}

/** Names and sizes of all files. */
function contentOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => `${path.slice(folder.length)} ${lstatSync(path).size}`).sort();
}
