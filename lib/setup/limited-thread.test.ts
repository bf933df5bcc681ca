import assert from "node:assert/strict";
import { test } from "node:test";
import { askInTime, ThreadLimitError } from "./limited-thread.ts";

const answering = new URL("../answer-questions.ts", import.meta.url);

/** Asks a thread to run `answer`, which knows `question`. */
function ask(
  answer: string,
  bounds: { limitMs?: number; signal?: AbortSignal; roomMb?: number } = {},
): Promise<unknown> {
  const source = `import { answerQuestions } from "${answering}";
    answerQuestions((question) => { ${answer} });`;
  return askInTime({
    program: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    question: "given",
    name: "The work",
    graceMs: 20,
    limitMs: 60_000,
    signal: undefined,
    ...bounds,
  });
}

/** Work that cannot be interrupted by a message. */
const blocked = "for (;;);";

test("a thread answers, fails or breaks in words", async () => {
  assert.equal(await ask("return question"), "given");
  await assert.rejects(ask('throw new Error("no luck")'), { name: "Error", message: "no luck" });
  await assert.rejects(
    ask('setImmediate(() => { throw new Error("broken"); }); return new Promise(() => {})'),
    /broken/,
  );
  await assert.rejects(ask("process.exit()"), /^Error: The work ended without an answer/);
});

test("a blocked thread is ended at its limit", async () => {
  await assert.rejects(ask(blocked, { limitMs: 50 }), (error) => {
    assert.ok(error instanceof ThreadLimitError);
    assert.equal(error.message, "The work took longer than 0.05 s.");
    return true;
  });
});

test("a blocked thread is ended by a cancel, and none is started after one", async () => {
  const cancel = new AbortController();
  const asked = ask(blocked, { signal: cancel.signal });
  setImmediate(() => cancel.abort(new Error("cancelled")));
  await assert.rejects(asked, { message: "cancelled" });
  await assert.rejects(ask(blocked, { signal: cancel.signal }), { message: "cancelled" });
});

test("a thread that needs too much memory fails alone", async () => {
  const greedy = "const all = []; for (;;) all.push(new Array(100_000).fill(1.5));";
  await assert.rejects(ask(greedy, { roomMb: 32 }), /memory/i);
});
