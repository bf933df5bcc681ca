import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { secretMask } from "#lib/entry/secret-mask.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { SealError } from "#lib/secrets/seal.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { Target, verifyWithLibrary } from "#lib/webhooks/target.fixture.ts";
import { everyEvent, SenderUnderTest, secret } from "./webhook-sender.fixture.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

test("an event is sent signed, and the public library verifies it; its data is the run as GET returns it", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url);
  const id = await under.endedRun();
  await under.sender(t).processDue();
  const [heard] = target.received;
  assert.ok(heard !== undefined && target.received.length === 1);
  const run = await under.store.runs.find(under.access, id);
  assert.ok(run !== null);
  const timestamp = new Date(under.nowMs).toISOString();
  assert.deepEqual(await verifyWithLibrary(secret, heard), {
    type: "run.finished",
    timestamp,
    data: under.describe(run),
  });
  await assert.rejects(verifyWithLibrary(secret.replace("Bw", "Bx"), heard), /No matching signature/);
  await assert.rejects(verifyWithLibrary(secret, { ...heard, body: `${heard.body} ` }), /No matching signature/);
  assert.deepEqual([heard.headers["content-type"], heard.late], ["application/json", false]);
});

test("an event has the digits of its run's metadata", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url);
  const metadata = '{"order":107505301260286111,"rate":1E400}';
  const fields = { agent: "external", metadata: fieldsOf(parseExactJson(metadata)) };
  const { id } = await under.store.runs.create(under.access, plainRun("Count", fields));
  await under.store.external.update(under.access, id, { status: "completed" });
  await under.sender(t).processDue();
  assert.ok(target.received[0]?.body.includes(`"metadata":${metadata}`), target.received[0]?.body);
});

test("an event has no secret that runs are given, wherever its run has it: stored keys and the service's variables", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url);
  const given = { stored: "given-by-an-admin-4711-9fK2mQ7xT4vB8nL1", variable: "of-the-service-0815-3kD8sW5jZ2hC" };
  const place = { variable: "SERVICE_KEY", repositoryId: null };
  const sealed = under.seal.seal(given.stored, agentKeyContext(under.access.organizationId, place));
  await under.store.agentKeys.put(under.access, { ...place, sealed });
  const prompt = `Use ${given.stored} and ${given.variable}`;
  const { id } = await under.store.runs.create(under.access, plainRun(prompt, { agent: "external" }));
  const ended = { status: "completed", result: prompt, summary: prompt } as const;
  await under.store.external.update(under.access, id, ended);
  await under.sender(t, { variablesOf: () => [{ SERVICE_TOKEN: given.variable }] }).processDue();
  const [heard] = target.received;
  assert.ok(heard !== undefined);
  const { prompt: told, result } = JSON.parse(heard.body).data;
  assert.deepEqual([told, result], Array(2).fill(`Use ${secretMask} and ${secretMask}`));
  for (const value of Object.values(given)) assert.ok(!heard.body.includes(value));
  assert.equal((await under.store.runs.find(under.access, id))?.prompt, prompt);
});

test("a secret of any text is used as it is, and after a change the previous one signs, too", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url, { secret: "Tr0ub4dor&3", previous: secret });
  const sender = under.sender(t);
  await under.endedRun();
  await sender.processDue();
  under.nowMs += minute;
  await under.endedRun();
  await sender.processDue();
  const [both, one] = target.received;
  assert.ok(both !== undefined && one !== undefined);
  for (const known of ["Tr0ub4dor&3", secret]) await verifyWithLibrary(known, both);
  await verifyWithLibrary("Tr0ub4dor&3", one);
  await assert.rejects(verifyWithLibrary(secret, one), /No matching signature/);
});

test("a failing target gets retries with the same id and a new timestamp, at the then current address and with the then current secret", async (t) => {
  const [under, target, moved] = [await SenderUnderTest.open(t), await Target.open(t), await Target.open(t)];
  await under.webhook(target.url);
  target.answer = () => 500;
  await under.endedRun();
  const sender = under.sender(t);
  await sender.processDue();
  under.nowMs += 5 * second - 1;
  await sender.processDue();
  assert.equal(target.received.length, 1);
  under.nowMs += 1;
  await sender.processDue();
  const [once, twice] = target.received;
  assert.ok(once !== undefined && twice !== undefined);
  assert.deepEqual([twice.id, twice.body], [once.id, once.body]);
  assert.equal(Number(twice.headers["webhook-timestamp"]) - Number(once.headers["webhook-timestamp"]), 5);
  const [failing] = await under.deliveries();
  assert.deepEqual([failing?.state, failing?.status, failing?.answer], ["pending", 500, "answer 500"]);
  assert.equal(failing?.error, "The target answered 500.");
  await under.webhook(moved.url, { secret: "another" });
  under.nowMs += 5 * minute;
  await sender.processDue();
  const [last] = moved.received;
  assert.ok(last !== undefined && last.id === once.id);
  await assert.rejects(verifyWithLibrary(secret, last));
  const [done] = await under.deliveries();
  assert.deepEqual([done?.state, done?.attempts, done?.error, done?.status], ["delivered", 3, null, 200]);
});

test("an event that fails for 24 hours is given up, and may be sent again for another 24", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url);
  target.answer = () => 503;
  await under.endedRun();
  const sender = under.sender(t);
  const began = under.nowMs;
  const times = async () => {
    const heard: number[] = [];
    for (;;) {
      await sender.processDue();
      if (target.received.length > 0) heard.push((under.nowMs - began) / second);
      target.received.length = 0;
      const [delivery] = await under.deliveries();
      if (delivery?.dueAt == null) return { heard, state: delivery?.state, id: delivery?.id ?? 0 };
      under.nowMs = Date.parse(delivery.dueAt);
    }
  };
  const first = await times();
  assert.deepEqual([first.heard, first.state], [[0, 5, 305, 2105, 9305, 27_305, 63_305, 86_400], "failed"]);
  under.nowMs += hour;
  await under.store.deliveries.resend(under.access, first.id);
  const again = await times();
  assert.deepEqual([again.heard.length, again.heard[0], again.state], [8, 90_000, "failed"]);
});

test("a later event goes after 10 minutes, and the earlier one still follows", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url, { events: everyEvent });
  target.answer = ({ type }) => (type === "run.started" ? 500 : 200);
  const id = await under.startRun();
  const sender = under.sender(t);
  await sender.processDue();
  await under.endRun(id);
  const heardAfter = async (ms: number) => {
    under.nowMs += ms;
    await sender.processDue();
    return target.received.splice(0).map(({ type, late }) => `${type}${late ? " late" : ""}`);
  };
  assert.deepEqual(await heardAfter(0), ["run.started"]);
  assert.deepEqual(await heardAfter(5 * second), ["run.started"]);
  assert.deepEqual(await heardAfter(5 * minute), ["run.started"]);
  assert.deepEqual(await heardAfter(5 * minute - 5 * second - 1), []);
  assert.deepEqual(await heardAfter(1), ["run.finished"]);
  target.answer = () => 200;
  assert.deepEqual(await heardAfter(30 * minute), ["run.started late"]);
  assert.deepEqual(
    (await under.deliveries()).map(({ type, state, late }) => [type, state, late]),
    [
      ["run.started", "delivered", true],
      ["run.finished", "delivered", false],
    ],
  );
});

test("410 turns the webhook off; redirects, private addresses and silence are failures that say why", async (t) => {
  const [under, target, elsewhere] = [await SenderUnderTest.open(t), await Target.open(t), await Target.open(t)];
  const outcome = async (sender = under.sender(t)) => {
    await under.endedRun();
    await sender.processDue();
    const { state, status, error } = (await under.deliveries()).at(-1) ?? {};
    await under.store.webhooks.remove(under.access);
    await under.webhook(target.url);
    return { state, status, error };
  };
  await under.webhook(target.url);
  target.answer = () => (response) => void response.writeHead(307, { location: elsewhere.url }).end();
  assert.deepEqual(await outcome(), {
    state: "pending",
    status: 307,
    error: "The target answered 307; redirects are not followed.",
  });
  assert.equal(elsewhere.received.length, 0);
  target.answer = () => () => undefined;
  const hasty = await outcome(under.sender(t, { outbound: under.outbound(50) }));
  assert.deepEqual([hasty.state, hasty.status], ["pending", null]);
  assert.match(String(hasty.error), /did not answer within 0.05 s/);
  await under.webhook("http://hook.test/");
  const outbound = createOutbound(allowedOf(""), (_, found) => found(null, [{ address: "10.0.0.9", family: 4 }]));
  const hidden = await outcome(under.sender(t, { outbound }));
  assert.deepEqual(
    hidden.error,
    "The address leads to a private network, which Errand does not allow (add it to ERRAND_OUTBOUND_ALLOW and restart).",
  );
  const keyless = under.sender(t, {
    seal: {
      ...under.seal,
      unseal: () => {
        throw new SealError("webhook:1: sealed with key 0a1b2c3d, but the key in use is 99887766");
      },
    },
  });
  assert.equal((await outcome(keyless)).error, "Not sent: its secret cannot be decrypted. Enter it again.");
  target.answer = () => 410;
  await under.endedRun();
  await under.endedRun();
  await under.sender(t).processDue();
  const { enabled, disabledReason } = (await under.store.webhooks.find(under.access)) ?? {};
  assert.deepEqual([enabled, disabledReason], [false, "gone"]);
});

test("the beginning of a huge response is kept, and the delivery counts", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url);
  target.answer = () => (response) => {
    const more = () => {
      while (!response.destroyed && response.write("\u0000a".repeat(50_000)));
    };
    response.on("drain", more);
    more();
  };
  await under.endedRun();
  await under.sender(t).processDue();
  const [delivery] = await under.deliveries();
  assert.deepEqual([delivery?.state, delivery?.answer], ["delivered", "\ufffda".repeat(500)]);
});

test("a target that hangs delays no other; what is being sent when the engine stops is sent by the next", async (t) => {
  const [under, hanging, quick] = [await SenderUnderTest.open(t), await Target.open(t), await Target.open(t)];
  hanging.answer = () => () => undefined;
  for (let index = 0; index < 6; index++) await under.startRun(hanging.url);
  const arrived = new Promise<void>((resolve) => {
    quick.answer = () => {
      resolve();
      return 200;
    };
  });
  await under.startRun(quick.url);
  const sender = under.sender(t);
  sender.start();
  await arrived;
  await sender.stop();
  assert.ok(hanging.received.length <= 4, `${hanging.received.length} at once`);
  hanging.answer = () => 200;
  await under.sender(t, { engineId: "next" }).processDue();
  assert.equal(new Set(hanging.received.map(({ id }) => id)).size, 6);
  assert.ok((await under.deliveries()).every(({ state }) => state === "delivered"));
});

test("an engine sweeps deliveries that ended 30 days ago, and leaves younger ones", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url);
  await under.endedRun();
  await under.sender(t).processDue();
  under.nowMs += 24 * hour;
  const young = await under.endedRun();
  await under.sender(t).processDue();
  under.nowMs += 29 * 24 * hour + minute;
  under.sender(t).start();
  while ((await under.deliveries()).length > 1) await nextTurn();
  assert.deepEqual(
    (await under.deliveries()).map(({ runId, state }) => [runId, state]),
    [[young, "delivered"]],
  );
});

test("two engines share the deliveries: each is sent once, in order for each run", async (t) => {
  const [under, target] = [await SenderUnderTest.open(t), await Target.open(t)];
  await under.webhook(target.url, { events: everyEvent });
  const runs = countOf({ short: 40, long: 400 });
  for (let index = 0; index < runs; index++) await under.endedRun();
  const senders = ["one", "two"].map((engineId) => under.sender(t, { engineId }));
  await Promise.all(senders.map((sender) => sender.processDue()));
  // Each may have seen the other's work in progress; after both, nothing is left.
  await Promise.all(senders.map((sender) => sender.processDue()));
  assert.equal(target.received.length, runs * 2);
  assert.equal(new Set(target.received.map(({ id }) => id)).size, runs * 2);
  const byRun = Map.groupBy(target.received, ({ runId }) => runId);
  for (const heard of byRun.values())
    assert.deepEqual(
      heard.map(({ type }) => type),
      ["run.started", "run.finished"],
    );
});
