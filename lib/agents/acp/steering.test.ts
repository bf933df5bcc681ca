import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { messagesUnderTest, never, start, until } from "./driver-under-test.fixture.ts";

/** The scripted agent at work on a turn that ends when it has received `received` messages. */
async function atWork(t: TestContext, scenario: Record<string, unknown>, { received = 1, signal = never } = {}) {
  const ways = { prompt: "prompt", asks: "asks" } as const;
  const steering = ways[scenario.steers as keyof typeof ways] ?? null;
  const driven = await start(t, scenario, { profile: { steering }, limits: { stopGraceMs: 500 } });
  const under = messagesUnderTest((entries) => driven.entries.push(...entries));
  const ended = driven.turn(`WORK ${received}`, signal, [], null, under.messages);
  return { ...driven, ...under, ended };
}

for (const steers of ["ext", "prompt", "asks"]) {
  test(`by ${steers} a message reaches the agent at its next step, and its entry is placed there`, async (t) => {
    const { send, settled, ended } = await atWork(t, { steers });
    send(2, "Look at the tests too");
    const { all, types, result, status } = await ended;
    assert.equal(status, "completed");
    assert.deepEqual(types, ["USER_MESSAGE", "USER_MESSAGE", "ACTION", "FINAL_ANSWER"]);
    const [, message] = all;
    assert.deepEqual(message?.tool_input, { message: 2, during_turn: 1 });
    assert.equal(message?.observation, "Look at the tests too");
    assert.equal(result, 'received: [[{"type":"text","text":"Look at the tests too"}]]');
    assert.deepEqual(settled, [[2, true]]);
  });

  test(`by ${steers} two messages at once reach the agent one after the other`, async (t) => {
    const { send, settled, ended } = await atWork(t, { steers, images: true }, { received: 2 });
    send(2, "one");
    send(3, "two", ["data:image/png;base64,AA=="]);
    const { result, all } = await ended;
    assert.deepEqual(settled, [
      [2, true],
      [3, true],
    ]);
    const received = JSON.parse((result ?? "").replace("received: ", ""));
    assert.deepEqual(received, [
      [{ type: "text", text: "one" }],
      [
        { type: "text", text: "two" },
        { type: "image", mimeType: "image/png", data: "AA==" },
      ],
    ]);
    assert.deepEqual(all[2]?.tool_input, { message: 3, images: 1, during_turn: 1 });
  });
}

test("what the agent says before a message is logged before it, what it says afterwards is its answer", async (t) => {
  const { send, outputs, ended } = await atWork(t, { steers: "ext" });
  await until(() => outputs.some((shown) => shown.includes("I begin.")));
  send(2, "And this");
  const { all } = await ended;
  assert.equal(all[1]?.thought, "I begin.");
  assert.equal(all[2]?.thought, null);
});

for (const outcome of ["promptRequired", "failed", "error", "none"]) {
  test(`a message that the agent answers with ${outcome} has not reached it`, async (t) => {
    const stop = new AbortController();
    const { send, settled, waiting, ended } = await atWork(t, { steers: "ext", outcome }, { signal: stop.signal });
    send(2, "Wait");
    await until(() => waiting.length === 0);
    if (outcome !== "none") await until(() => settled.length === 1);
    stop.abort();
    const { status, types } = await ended;
    assert.deepEqual([status, types.filter((type) => type === "USER_MESSAGE").length], ["cancelled", 2]);
    assert.deepEqual(settled, [[2, false]]);
  });
}

test("a message that arrives at the moment the turn ends becomes its own turn", async (t) => {
  for (const steers of ["ext", "prompt", "asks"]) {
    const { send, settled, waiting, ended } = await atWork(t, { steers }, { received: 0 });
    await ended;
    send(2, "Too late");
    assert.deepEqual([waiting.length, settled], [1, []]);
  }
});

test("an agent that dies while a message is being sent has not received it", async (t) => {
  const driven = await start(t, { steers: "ext", outcome: "none" });
  const { messages, send, settled, waiting } = messagesUnderTest((entries) => driven.entries.push(...entries));
  const ended = driven.turn("WORK", never, [], null, messages);
  send(2, "Hello");
  await until(() => waiting.length === 0);
  await driven.processes[0]?.kill();
  assert.equal((await ended).status, "failed");
  assert.deepEqual(settled, [[2, false]]);
});

for (const refuses of [300, "answered"] as const) {
  const when = refuses === "answered" ? "after the first answer is held" : "late becomes the next turn";
  test(`a further prompt that the agent refuses ${when}, and the turn keeps its answer`, async (t) => {
    const { send, settled, refused, ended } = await atWork(t, { steers: "prompt", refuses });
    send(2, "Hello");
    const { status, result, all } = await ended;
    assert.deepEqual([status, result], ["completed", 'received: ["nothing"]']);
    assert.deepEqual(settled, [[2, true]]);
    assert.deepEqual(refused, [[2, refuses === "answered"]]);
    const error = all.find(({ message_type }) => message_type === "ERROR")?.observation;
    assert.match(JSON.stringify(error), /message_refused.*did not take message 2: a turn is in progress/);
  });
}

for (const diesAsking of ["before", "after"]) {
  test(`messages for an agent that asks and dies ${diesAsking} the answer may not have reached it`, async (t) => {
    const { messages, settled, send } = messagesUnderTest(() => assert.fail("it is not in the log"));
    // On a busy machine an agent may take seconds to end.
    const limits = { stopGraceMs: 200_000 };
    const driven = await start(t, { steers: "asks", diesAsking }, { profile: { steering: "asks" }, limits });
    send(2, "Hello");
    const { status } = await driven.turn("WORK", never, [], null, messages);
    // Neither delivered nor sent again by itself: a message that nobody settles is held.
    assert.deepEqual([status, settled], ["failed", []]);
  });
}

test("an agent that takes no messages while it works is given none", async (t) => {
  const { send, waiting, ended, listens } = await atWork(t, {}, { received: 0 });
  let listening = false;
  void listens.then(() => {
    listening = true;
  });
  send(2, "Later");
  await ended;
  assert.deepEqual([listening, waiting.length], [false, 1]);
});

test("a host that cannot write that a message has reached the agent ends the turn", async (t) => {
  const driven = await start(t, { steers: "ext" });
  const { messages, send } = messagesUnderTest(() => {
    throw new Error("the disk is full");
  });
  const ended = driven.turn("WORK 2", never, [], null, messages);
  send(2, "Hello");
  await assert.rejects(ended, /the disk is full/);
});
