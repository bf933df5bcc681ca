// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { sh } from "#lib/engine/engine.fixture.ts";
import { openKilledPulls } from "./killed-pulls.fixture.ts";
import { writes } from "./pulls.fixture.ts";

test("a mention waits while its organization's queue is full, and starts its run once there is room", async (t) => {
  const of = await openKilledPulls(t, "github", { ERRAND_CONCURRENCY: "1", ERRAND_QUEUE_MAX: "1" });
  const { host, killed, database, store, access } = of;
  host.addPerson("ada", "write");
  await killed.start();
  const working = await of.start(sh("sleep 600"));
  await of.watch(working.id, ({ status }) => status === "running");
  const queued = await of.start(writes("two"));
  assert.equal(
    await of.receive(host.commentEvent({ login: "ada", body: `@errand please\n${writes("three")}` })),
    "kept",
  );

  const heard = () => Object(database.prepare("select state, tries, claimed from host_events").get());
  const isUnderWay = ({ state, tries, claimed } = heard()) => state === "waiting" && (tries === 0 || claimed === 1);
  await of.watch(working.id, () => !isUnderWay());
  assert.equal(heard().state, "waiting");
  const runs = () => database.prepare("select id, status from runs order by id").all().map(Object.values);
  assert.deepEqual(runs(), [
    [working.id, "running"],
    [queued.id, "queued"],
  ]);

  await store.runs.cancel(access, working.id);
  await of.watch(queued.id, ({ status }) => status === "completed");
  of.advance(30_000);
  await of.watch(queued.id + 1, ({ status }) => status === "completed");
  assert.equal(heard().state, "done");
});
