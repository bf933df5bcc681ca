import assert from "node:assert/strict";
import { test } from "node:test";
import { askThread, ThreadLimitError } from "./limited-thread.ts";

/** A thread of this program, which speaks to `parentPort` and has `workerData`. */
function ask(program: string, bounds: { limitMs?: number; signal?: AbortSignal } = {}): Promise<unknown> {
  const source = `import { parentPort, workerData } from "node:worker_threads";\n${program}`;
  return askThread({
    program: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    data: "given",
    name: "The work",
    graceMs: 20,
    limitMs: 60_000,
    signal: undefined,
    ...bounds,
  });
}

/** Work that no message reaches. */
const blocked = "for (;;);";

test("a thread answers, fails or breaks in words", async () => {
  assert.equal(await ask('parentPort.postMessage({ kind: "answered", value: workerData })'), "given");
  const git = { code: "git_failed", exitCode: 128, stderr: "" };
  const failed = (more: object | null) =>
    `parentPort.postMessage(${JSON.stringify({ kind: "failed", message: "no luck", git: more })})`;
  await assert.rejects(ask(failed(null)), { name: "Error", message: "no luck" });
  await assert.rejects(ask(failed(git)), { name: "GitError", message: "no luck", exitCode: 128 });
  await assert.rejects(ask('throw new Error("broken")'), /broken/);
  await assert.rejects(ask(""), /^Error: The work ended without an answer/);
});

test("a thread that is blocked is ended at its limit", async () => {
  await assert.rejects(ask(blocked, { limitMs: 50 }), (error) => {
    assert.ok(error instanceof ThreadLimitError);
    assert.equal(error.message, "The work took longer than 0.05 s.");
    return true;
  });
});

test("a thread that is blocked is ended by a cancel, and one is not begun after it", async () => {
  const cancel = new AbortController();
  const asked = ask(blocked, { signal: cancel.signal });
  setImmediate(() => cancel.abort(new Error("cancelled")));
  await assert.rejects(asked, { message: "cancelled" });
  await assert.rejects(ask(blocked, { signal: cancel.signal }), { message: "cancelled" });
});

test("a thread that is told to stop may end what it began", async () => {
  const obedient = `parentPort.on("message", (word) => {
    parentPort.postMessage({ kind: "failed", message: word, git: null });
  });`;
  await assert.rejects(ask(obedient, { limitMs: 50 }), ThreadLimitError);
});

test("a thread that needs too much room fails alone", async () => {
  await assert.rejects(ask("const all = []; for (;;) all.push(new Array(100_000).fill(1.5));"), /memory/i);
});
