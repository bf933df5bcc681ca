import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WorkerPool } from "./worker-pool.ts";

const answering = new URL("./answer-questions.ts", import.meta.url);

/** A pool whose threads run the text that they are asked, as the body of a function, and number the questions they get. */
function openPool(
  t: TestContext,
  {
    start = "",
    ...options
  }: Partial<ConstructorParameters<typeof WorkerPool>[0]> & { threadsMax: number; start?: string },
) {
  const source = `import { threadId } from "node:worker_threads";
    import { answerQuestions, tellProcess } from "${answering}";
    ${start}
    let count = 0;
    answerQuestions((text, signal) => Function("threadId", "count", "signal", "tellProcess", text)(threadId, ++count, signal, tellProcess));`;
  const notes: string[] = [];
  const pool = new WorkerPool<string, unknown>({
    program: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    name: "The work",
    questionsMax: 1,
    idleMs: 60_000,
    onNote: (note) => notes.push(note),
    ...options,
  });
  t.after(() => pool.close());
  return { pool, notes };
}

const thread = "return threadId";
const endless = "for (;;);";

test("a thread that breaks fails its own question, and the next one is answered by another thread", async (t) => {
  const { pool } = openPool(t, { threadsMax: 1 });
  const first = await pool.ask(thread);
  const broken = pool.ask("process.exit()");
  const next = pool.ask(thread);
  await assert.rejects(broken, { message: "The work ended without an answer." });
  assert.notEqual(await next, first);
  await assert.rejects(pool.ask('throw new Error("no luck")'), { message: "no luck" });
  assert.equal(await pool.ask(thread), await next, "a question that fails does not end the thread");
});

test("no more threads than that work at once; what is asked first goes before what waits", async (t) => {
  const { pool } = openPool(t, { threadsMax: 1 });
  const order: unknown[] = [];
  const ask = (name: string, isFirst: boolean) =>
    pool.ask("return count", { isFirst }).then((at) => order.push(name, at));
  await Promise.all([ask("one", false), ask("two", false), ask("urgent", true)]);
  assert.deepEqual(order, ["urgent", 1, "one", 2, "two", 3]);
  const two = openPool(t, { threadsMax: 2 }).pool;
  const ids = await Promise.all(Array.from({ length: 20 }, () => two.ask(thread)));
  assert.ok(new Set(ids).size <= 2);
});

test("a thread is asked several questions at once if it takes them", async (t) => {
  const { pool } = openPool(t, { threadsMax: 1, questionsMax: 2 });
  const waits = "return new Promise((resolve) => { globalThis.resolveFirst = resolve; })";
  const answers = await Promise.all([pool.ask(waits), pool.ask('globalThis.resolveFirst("first"); return "second"')]);
  assert.deepEqual(answers, ["first", "second"]);
});

test("an abort ends a blocked thread, and withdraws a question that waits; the others are answered", async (t) => {
  const { pool } = openPool(t, { threadsMax: 1 });
  const blocked = new AbortController();
  const withdrawn = new AbortController();
  await pool.ask(thread);
  const asked = pool.ask(endless, { signal: blocked.signal });
  const waiting = pool.ask(endless, { signal: withdrawn.signal });
  const next = pool.ask("return 1");
  withdrawn.abort(new Error("withdrawn"));
  await assert.rejects(waiting, { message: "withdrawn" });
  blocked.abort(new Error("too late"));
  await assert.rejects(asked, { message: "too late" });
  assert.equal(await next, 1);
  await assert.rejects(pool.ask(thread, { signal: blocked.signal }), { message: "too late" });
});

test("a thread whose question is aborted may clean up, and has ended when the pool is closed", async (t) => {
  const asked = new AbortController();
  const notes: string[] = [];
  const onNote = (note: string) => {
    notes.push(note);
    asked.abort(new Error("enough"));
  };
  const { pool } = openPool(t, { threadsMax: 1, graceMs: 60_000, onNote });
  const cleans = `tellProcess("begun");
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(tellProcess("cleaned up"))));`;
  await assert.rejects(pool.ask(cleans, { signal: asked.signal }), { message: "enough" });
  await pool.close();
  assert.deepEqual(notes, ["begun", "cleaned up"]);
});

test("a thread ends after a while without questions, and the next question starts one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { pool } = openPool(t, { threadsMax: 1, idleMs: 60_000 });
  const first = await pool.ask(thread);
  t.mock.timers.tick(59_999);
  assert.equal(await pool.ask(thread), first);
  t.mock.timers.tick(59_999);
  assert.equal(await pool.ask(thread), first, "each question keeps it");
  t.mock.timers.tick(60_000);
  assert.notEqual(await pool.ask(thread), first);
});

test("everybody is told why no thread can start", async (t) => {
  const { pool } = openPool(t, { threadsMax: 2, start: 'throw new Error("no store")' });
  const answers = await Promise.allSettled(Array.from({ length: 3 }, () => pool.ask(thread)));
  for (const answer of answers) assert.match(String(answer.status === "rejected" && answer.reason), /no store/);
});

test("notes reach the process; a closed pool rejects what is asked and what is in progress", async (t) => {
  const { pool, notes } = openPool(t, { threadsMax: 1 });
  await pool.ask('tellProcess("hello")');
  assert.deepEqual(notes, ["hello"]);
  const asked = [pool.ask(endless), pool.ask(thread)];
  const ended = Promise.allSettled(asked);
  await pool.close();
  for (const { status } of await ended) assert.equal(status, "rejected");
  await assert.rejects(pool.ask(thread), { message: "The work is closed." });
});
