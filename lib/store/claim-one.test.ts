import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { plain } from "#lib/store/webhooks/webhooks.fixture.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { leaseMs, openFixture } from "./conformance.fixture.ts";
import type { Store } from "./store.ts";

/** Every kind of claim; each returns something that identifies what it holds. */
const claims: ((store: Store) => Promise<string | null>)[] = [
  async ({ queue }) => named("run", (await queue.claim("engine", leaseMs))?.run.id),
  async ({ localChecks }) => named("checks", (await localChecks.claim("engine", leaseMs))?.run.id),
  async ({ pulls }) => named("pull", (await pulls.claim(leaseMs))?.pull.id),
  async ({ deliveries }) => named("delivery", (await deliveries.claim("engine", leaseMs, []))?.id),
  async ({ conversations }) => named("event", (await conversations.claimEvent(leaseMs))?.id),
  async ({ conversations }) => named("reply", (await conversations.claimReply(leaseMs))?.id),
  async ({ agentSignIns }) => named("sign-in", (await agentSignIns.claim())?.agentId),
];

const named = (kind: string, id: number | string | undefined) => (id === undefined ? null : `${kind} ${id}`);

async function openFile(t: TestContext) {
  const folder = await makeStoreFolder("errand-claims-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  const fixture = await openFixture(t, (now) => openStore({ file, now }));
  return { ...fixture, file };
}

test("several that claim at once never hold one row, and nothing is left", async (t) => {
  const { store, access, makeRun } = await openFile(t);
  await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
  const { id: integrationId } = await store.integrations.put(access, "github", { secretSealed: "x" });
  for (let number = 1; number <= 10; number += 1) {
    await makeRun();
    await store.runs.cancel(access, (await makeRun()).id);
    const event = { deliveryId: `d${number}`, kind: "comment", saidKey: null, body: "{}", note: "" };
    await store.conversations.keep(integrationId, event);
    await store.agentSignIns.ask({ ...access, agentId: `agent-${number}`, method: "browser" });
  }
  const held: string[] = [];
  const claimAll = async () => {
    for (const claim of claims)
      for (let one = await claim(store); one !== null; one = await claim(store)) held.push(one);
  };
  await Promise.all(Array.from({ length: 4 }, claimAll));
  assert.equal(held.length, 40);
  assert.equal(new Set(held).size, 40, held.toSorted().join(", "));
});

test("a claim that finds nothing does not wait for whoever writes", async (t) => {
  const { store, file } = await openFile(t);
  const writer = new DatabaseSync(file);
  t.after(() => writer.close());
  writer.exec("begin immediate");
  for (const claim of claims) assert.equal(await claim(store), null);
});

test("what a dead engine held is freed once: by its lease, or when the next engine starts", async (t) => {
  const { store, access, advance } = await openFile(t);
  const { id: integrationId } = await store.integrations.put(access, "github", { secretSealed: "x" });
  const event = { deliveryId: "d1", kind: "comment", saidKey: null, body: "{}", note: "" };
  await store.conversations.keep(integrationId, event);
  const held = await store.conversations.claimEvent(leaseMs);
  advance(leaseMs - 1);
  assert.equal(await store.conversations.claimEvent(leaseMs), null);
  advance(1);
  const both = await Promise.all([store.conversations.claimEvent(leaseMs), store.conversations.claimEvent(leaseMs)]);
  assert.deepEqual(
    both.flatMap((one) => (one === null ? [] : [[one.id, one.tries]])),
    [[held?.id, 2]],
  );
  await store.queue.endLeases();
  assert.equal((await store.conversations.claimEvent(leaseMs))?.tries, 3);
  await store.conversations.postponeEvent(held?.id ?? 0, 5000);
  await store.queue.endLeases();
  assert.equal(await store.conversations.claimEvent(leaseMs), null, "nobody held it: it waits for the host");
});
