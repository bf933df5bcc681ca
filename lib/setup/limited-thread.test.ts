import assert from "node:assert/strict";
import { test } from "node:test";
import { askThread, ThreadLimitError } from "./limited-thread.ts";

/** Asks a thread to run `asked`; `stop` is what it runs when told to stop. */
function ask(
  program: { asked: string; stop?: string },
  bounds: { limitMs?: number; signal?: AbortSignal; roomMb?: number } = {},
): Promise<unknown> {
  const source = `import { parentPort, threadId } from "node:worker_threads";
    const post = (message) => parentPort.postMessage(message);
    parentPort.on("message", ({ kind, question }) => {
      if (kind === "stop") { ${program.stop ?? ""} } else { ${program.asked} }
    });`;
  return askThread({
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
const blocked = { asked: "for (;;);" };

test("a thread answers, fails or breaks in words", async () => {
  assert.equal(await ask({ asked: 'post({ kind: "answered", value: question })' }), "given");
  const failed = (git: object | null) => ({
    asked: `post(${JSON.stringify({ kind: "failed", message: "no luck", git })})`,
  });
  await assert.rejects(ask(failed(null)), { name: "Error", message: "no luck" });
  const git = { code: "git_failed", exitCode: 128, stderr: "" };
  await assert.rejects(ask(failed(git)), { name: "GitError", message: "no luck", exitCode: 128 });
  await assert.rejects(ask({ asked: 'throw new Error("broken")' }), /broken/);
  await assert.rejects(ask({ asked: "process.exit()" }), /^Error: The work ended without an answer/);
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

test("a thread that is told to stop may clean up what it began", async () => {
  const obedient = { asked: "", stop: 'post({ kind: "failed", message: "stopped", git: null })' };
  await assert.rejects(ask(obedient, { limitMs: 50 }), ThreadLimitError);
});

test("a thread that needs too much memory fails alone", async () => {
  const greedy = "const all = []; for (;;) all.push(new Array(100_000).fill(1.5));";
  await assert.rejects(ask({ asked: greedy }, { roomMb: 32 }), /memory/i);
});
