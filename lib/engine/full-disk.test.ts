// Tier: rest
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fewPages, fillDisk } from "#lib/store/storage/full-disk.fixture.ts";
import type { QueueStore } from "#lib/store/store.ts";
import { StoreError } from "#lib/store/store-error.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { openWithSetup } from "./run-setup.fixture.ts";

const large = "head -c 300000 /dev/urandom | base64 -w 0";
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a run that meets a full disk keeps what was written and says what happened; the next one works again", async (t) => {
  const { dataDir, store, engine, create, entries, until } = await openEngine(t, {}, { pagesMax: fewPages });
  const word = join(dataDir, "go");
  const { append } = store.queue;
  let refused = 0;
  store.queue.append = async (...given) => {
    try {
      return await append(...given);
    } catch (error) {
      refused += 1;
      throw error;
    }
  };
  engine.start();
  const run = await create(sh("echo first", `while [ ! -e ${word} ]; do sleep 0.05; done`, large, large, "echo last"));
  await until(run.id, ({ totalLogs }) => totalLogs >= 2);
  const makeRoom = fillDisk(dataDir);
  await writeFile(word, "");
  while (refused === 0) await soon(20);
  assert.equal(await store.findTrouble(false), "full");
  const seen = await entries(run.id);
  assert.ok(seen.length >= 2, "what is there can be read");

  makeRoom();
  assert.equal((await until(run.id, hasEnded)).status, "failed");
  const told = await entries(run.id);
  assert.deepEqual(told.slice(0, seen.length), seen);
  assert.equal(Object(told.at(-1)?.observation).code, "disk_full");
  assert.equal(await store.findTrouble(false), null);
  const next = await create(sh("echo again"));
  assert.equal((await until(next.id, hasEnded)).status, "completed");
  assert.deepEqual(await store.check(), []);
});

test("a turn that ends while nothing at all can be written is ended as it was once there is space, however late", async (t) => {
  // So short that the run's lease expires in the meantime.
  const leaseMs = 3000;
  const { store, engine, create, entries, until } = await openEngine(t, { leaseMs });
  let isFull = false;
  let refused = 0;
  const fillable = <Name extends "renew" | "finishTurn" | "beat" | "expire">(name: Name) => {
    const real: (...given: never[]) => Promise<unknown> = store.queue[name];
    const guarded = async (...given: never[]) => {
      if (!isFull) return real(...given);
      refused += 1;
      throw new StoreError("The disk is full", { trouble: "full" });
    };
    store.queue[name] = guarded as QueueStore[Name];
  };
  for (const name of ["renew", "finishTurn", "beat", "expire"] as const) fillable(name);
  engine.start();
  const run = await create(sh("echo first", "echo last"));
  await until(run.id, ({ totalLogs }) => totalLogs >= 1);
  isFull = true;
  await until(run.id, ({ totalLogs }) => totalLogs >= 3);
  await soon(2 * leaseMs);
  assert.ok(refused > 2);
  isFull = false;
  assert.equal((await until(run.id, hasEnded)).status, "completed");
  assert.ok((await entries(run.id)).every(({ message_type }) => message_type !== "ERROR"));
});

test("the proposal and the diff of a turn that ends on a full disk are kept once there is space", async (t) => {
  const makefile = { Makefile: "build:\n\ttouch built\n" };
  const { create, until, store, access, repositoryId } = await openWithSetup(t, {}, makefile);
  const { keepProposal } = store.setups;
  const { setDiff } = store.queue;
  const refused: string[] = [];
  const refuseOnce = (what: string) => {
    if (refused.includes(what)) return;
    refused.push(what);
    throw new StoreError("The disk is full", { trouble: "full" });
  };
  store.setups.keepProposal = async (...given) => {
    refuseOnce("proposal");
    return keepProposal(...given);
  };
  store.queue.setDiff = async (...given) => {
    refuseOnce("diff");
    return setDiff(...given);
  };
  const run = await create("Find the commands", { repositoryId, sourceType: "SETUP_COMMANDS", agent: "setup" });
  const ended = await until(run.id, hasEnded);
  assert.deepEqual([ended.status, refused], ["completed", ["proposal", "diff"]]);
  const { proposal } = (await store.setups.find(access, repositoryId)) ?? {};
  assert.deepEqual(
    proposal?.proposal.commands.map(({ command }) => command),
    ["make build"],
  );
  assert.match(Buffer.from((await store.runs.findDiff(access, run.id)) ?? []).toString(), /built/);
});
