// Tier: rest
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { contentText, processEnded, startAgent, tempFolder, toolCalls } from "./agent-under-test.ts";

// Two generations: the shell's child prints the id of a grandchild, and if `deaf` both ignore SIGTERM.
const grandchild = (deaf: boolean) =>
  `\`\`\`bash\n${deaf ? 'trap "" TERM\n' : ""}bash -c 'sleep 1000 & echo "pid $!"; wait; sleep 1000'; sleep 1000\n\`\`\``;

const showsPid = (update: SessionUpdate) =>
  update.sessionUpdate === "tool_call_update" && /pid \d+/.test(contentText(update));

function pidIn(update: SessionUpdate): number {
  assert.ok(update.sessionUpdate === "tool_call_update");
  return Number(/pid (\d+)/.exec(contentText(update))?.[1]);
}

test("output is streamed while a step runs", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession, waitFor } = await startAgent(t);
  const answer = prompt(
    await newSession(cwd),
    "```sh\necho early; while [ ! -e go ]; do sleep 0.02; done; echo late\n```",
  );
  const early = await waitFor(
    (update) => update.sessionUpdate === "tool_call_update" && contentText(update) === "early\n",
  );
  assert.ok(early.sessionUpdate === "tool_call_update" && early.status === "in_progress");
  writeFileSync(join(cwd, "go"), "");
  assert.deepEqual(await answer, { stopReason: "end_turn" });
});

test("50 MB of output pass in bounded memory, with bounded updates and the number of missing bytes", async (t) => {
  const { prompt, newSession, updates, process: agent } = await startAgent(t);
  const answer = await prompt(
    await newSession(tempFolder(t)),
    "```sh\necho first; yes 0123456789abcde | head -c 50000000; echo; echo last\n```",
  );
  assert.deepEqual(answer, { stopReason: "end_turn" });
  const output = Object(toolCalls(updates)[0]?.rawOutput);
  const total = 50_000_000 + "first\n\nlast\n".length;
  assert.deepEqual([output.truncated, output.dropped_bytes], [true, total - 256 * 1024]);
  assert.match(
    output.output,
    /^first\n0123456789abcde\n[^…]*\n… [\d,]+ bytes of output left out here …\n[^…]*\nlast\n$/,
  );
  assert.ok(output.output.includes(`… ${output.dropped_bytes.toLocaleString("en-US")} bytes`));
  const running = updates.filter(
    (update) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress",
  );
  assert.ok(running.every((update) => contentText(update).length <= 16 * 1024));
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${agent.pid}/status`, "utf8"))?.[1];
  assert.ok(Number(peak) < 300 * 1024, `peak memory ${peak} kB`);
});

test("cancel ends the step with its grandchildren and closes its tool call", async (t) => {
  const { agent, prompt, newSession, waitFor, updates } = await startAgent(t);
  const sessionId = await newSession(tempFolder(t));
  const answer = prompt(sessionId, `${grandchild(false)}\n\`\`\`sh\ntouch never\n\`\`\``);
  const pid = pidIn(await waitFor(showsPid));
  await agent.notify("session/cancel", { sessionId });
  assert.deepEqual(await answer, { stopReason: "cancelled" });
  await processEnded(pid);
  const calls = toolCalls(updates);
  assert.equal(calls.length, 1);
  assert.equal(calls[0]?.status, "failed");
  assert.equal(contentText(calls[0]), "cancelled");
  assert.match(Object(calls[0]?.rawOutput).output, /^pid \d+\n$/);
  assert.deepEqual(await prompt(sessionId, "```sh\ntrue\n```"), { stopReason: "end_turn" });
});

test("cancel ends processes that ignore SIGTERM after 2 s", async (t) => {
  const { agent, prompt, newSession, waitFor } = await startAgent(t);
  const sessionId = await newSession(tempFolder(t));
  const answer = prompt(sessionId, grandchild(true));
  const pid = pidIn(await waitFor(showsPid));
  const startedAt = Date.now();
  await agent.notify("session/cancel", { sessionId });
  assert.deepEqual(await answer, { stopReason: "cancelled" });
  assert.ok(Date.now() - startedAt >= 1900 && Date.now() - startedAt < 8000);
  await processEnded(pid);
});

test("a step can clean up when it is cancelled", async (t) => {
  const cwd = tempFolder(t);
  const { agent, prompt, newSession, waitFor } = await startAgent(t);
  const sessionId = await newSession(cwd);
  const answer = prompt(
    sessionId,
    '```sh\ntrap "touch cleaned; exit 1" TERM\necho "pid $$"\nwhile :; do sleep 0.05; done\n```',
  );
  await waitFor(showsPid);
  await agent.notify("session/cancel", { sessionId });
  assert.deepEqual(await answer, { stopReason: "cancelled" });
  assert.ok(existsSync(join(cwd, "cleaned")));
});

test("when stdin closes the agent and all its children end at once", async (t) => {
  const { process: agent, prompt, newSession, waitFor } = await startAgent(t);
  const answer = prompt(await newSession(tempFolder(t)), grandchild(true)).catch(() => "connection lost");
  const pid = pidIn(await waitFor(showsPid));
  const startedAt = Date.now();
  agent.stdin?.end();
  const [exitCode] = await once(agent, "exit");
  assert.equal(exitCode, 0);
  await processEnded(pid);
  assert.ok(Date.now() - startedAt < 1500);
  await answer;
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`no child outlives an agent ended by ${signal}`, async (t) => {
    const { process: agent, prompt, newSession, waitFor } = await startAgent(t);
    const answer = prompt(await newSession(tempFolder(t)), grandchild(true)).catch(() => "connection lost");
    const pid = pidIn(await waitFor(showsPid));
    agent.kill(signal);
    await once(agent, "exit");
    await processEnded(pid);
    await answer;
  });
}

const outputOf = (updates: SessionUpdate[], at: number): string => Object(toolCalls(updates)[at]?.rawOutput).output;

test("a step does not wait for its background processes: they serve later steps, and end with the turn", async (t) => {
  const { prompt, newSession, updates } = await startAgent(t);
  const server =
    'trap "" TERM; echo $BASHPID > pid; while :; do echo log; [ ! -e asked ] || mv asked answered; sleep 0.02; done';
  const ask = "rm -f answered; touch asked; while [ ! -e answered ]; do sleep 0.02; done; cat pid";
  const answer = await prompt(
    await newSession(tempFolder(t)),
    `\`\`\`bash\n(${server}) &\n\`\`\`\n\`\`\`sh\n${ask}\n\`\`\`\n\`\`\`sh\n${ask}\n\`\`\``,
  );
  assert.deepEqual(answer, { stopReason: "end_turn" });
  const pid = Number(outputOf(updates, 1));
  assert.ok(pid > 0);
  assert.equal(Number(outputOf(updates, 2)), pid);
  await processEnded(pid);
});

test("a background process may write without end to its step's output, and is heard no more when the step has ended", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession, updates } = await startAgent(t);
  const writer = 'perl -e \'$| = 1; my $n = 0; while (1) { print "x" x 65536; rename "go", "wrote" if ++$n > 99 }\'';
  await prompt(
    await newSession(cwd),
    `\`\`\`sh\n${writer} &\necho $! > pid\n\`\`\`\n\`\`\`sh\ntouch go; while [ ! -e wrote ]; do sleep 0.02; done; echo done\n\`\`\``,
  );
  assert.equal(outputOf(updates, 1), "done\n");
  await processEnded(Number(readFileSync(join(cwd, "pid"), "utf8")));
});

test("steps that write to one named pipe, whose reader an earlier step started, do not hang", async (t) => {
  const cwd = tempFolder(t);
  const { prompt, newSession } = await startAgent(t);
  const answer = await prompt(
    await newSession(cwd),
    "```bash\nmkfifo p; (while :; do cat p >> all; done) >/dev/null 2>&1 &\n```\n```sh\necho one > p\n```\n```sh\necho two > p; while ! grep -q two all; do sleep 0.02; done\n```",
  );
  assert.deepEqual(answer, { stopReason: "end_turn" });
  assert.equal(readFileSync(join(cwd, "all"), "utf8"), "one\ntwo\n");
});

test("cancel ends what earlier steps left running at once, even if it ignores SIGTERM", async (t) => {
  const { agent, prompt, newSession, waitFor } = await startAgent(t);
  const sessionId = await newSession(tempFolder(t));
  const left = '```bash\n(trap "" TERM; while :; do sleep 0.05; done) >/dev/null 2>&1 &\necho $! > left\n```';
  const answer = prompt(sessionId, `${left}\n\`\`\`sh\necho "pid $(cat left)"; sleep 1000\n\`\`\``);
  const pid = pidIn(await waitFor(showsPid));
  const startedAt = Date.now();
  await agent.notify("session/cancel", { sessionId });
  assert.deepEqual(await answer, { stopReason: "cancelled" });
  await processEnded(pid);
  assert.ok(Date.now() - startedAt < 8000);
});

test("what a step left running does not outlive an agent ended by SIGKILL", async (t) => {
  const { process: agent, prompt, newSession, waitFor } = await startAgent(t);
  const answer = prompt(
    await newSession(tempFolder(t)),
    '```sh\nsleep 1000 >/dev/null 2>&1 &\necho $! > left\n```\n```sh\necho "pid $(cat left)"; sleep 1000\n```',
  ).catch(() => "connection lost");
  const pid = pidIn(await waitFor(showsPid));
  agent.kill("SIGKILL");
  await once(agent, "exit");
  await processEnded(pid);
  await answer;
});

test("a program that waits for all its children ends", async (t) => {
  const { prompt, newSession, updates } = await startAgent(t);
  // Like `script -c 'echo hi' /dev/null`, which replaces the shell that started it.
  await prompt(await newSession(tempFolder(t)), "```sh\nexec perl -e 'print \"hi\\n\"; 1 while wait() > 0'\n```");
  assert.equal(outputOf(updates, 0), "hi\n");
});

test("the output of a process substitution that ends after the shell is kept", async (t) => {
  const { prompt, newSession, updates } = await startAgent(t);
  await prompt(await newSession(tempFolder(t)), "```bash\necho x > >(sleep 0.1; cat)\n```");
  assert.equal(Object(toolCalls(updates)[0]?.rawOutput).output, "x\n");
});

test("steps read nothing from stdin and inherit the environment without Errand's secrets", async (t) => {
  const env = { ERRAND_SECRET: "s3cret", ERRAND_DATA_DIR: "/data", MY_SETTING: "kept" };
  const { prompt, newSession, updates } = await startAgent(t, { env });
  await prompt(await newSession(tempFolder(t)), "```sh\ncat\nenv | grep -c ^ERRAND_ || true\necho $MY_SETTING\n```");
  assert.equal(Object(toolCalls(updates)[0]?.rawOutput).output, "0\nkept\n");
});
