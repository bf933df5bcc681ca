import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttachedFile, attachedFiles } from "#lib/contract/runs/attachment.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

const attachments = attachedFiles([
  { name: "steps.md", text: sh("echo from-the-file > made.txt") },
  { name: "data.csv", media_type: "text/csv", text: "a,b\n1,2\n" },
]);

test("a run's files are in the log with its message, and the built-in agent runs nothing that is in them", async (t) => {
  const { engine, create, entries, until } = await openEngine(t);
  engine.start();
  const { id } = await create(sh("ls"), { attachments });
  assert.equal((await until(id, hasEnded)).status, "completed");
  const log = await entries(id);
  assert.deepEqual(log[0]?.tool_input, { turn: 1, session: "new", attachments });
  const commands = log.flatMap(({ message_type, tool_input }) =>
    message_type === "ACTION" ? [(tool_input as { command: string }).command.trim()] : [],
  );
  assert.deepEqual(commands, ["ls"]);
});

test("a queued turn keeps its files until it begins, even across a cancel; edited and withdrawn ones are gone", async (t) => {
  const { engine, store, access, create, entries, until } = await openEngine(t);
  const run = await create(sh("sleep 60"));
  const add = (prompt: string, files: AttachedFile[]) =>
    store.runs.addTurn(access, run.id, { prompt, images: [], attachments: files, model: null });
  await add(sh("echo two"), attachments);
  await add(sh("echo three"), attachments);
  await add(sh("echo four"), attachments);
  engine.start();
  await until(run.id, ({ status }) => status === "running");
  await store.runs.cancel(access, run.id);
  await until(run.id, hasEnded);
  const queued = async () => (await store.turns.listQueued(access, run.id, { skip: 0, limit: 9 }))?.items ?? [];
  const facts = attachments.map(({ text: _, ...rest }) => rest);
  assert.deepEqual(
    (await queued()).map((turn) => [turn.number, turn.state, turn.attachments]),
    [2, 3, 4].map((number) => [number, "held", facts]),
  );
  await store.turns.edit(access, run.id, 3, { attachments: attachments.slice(1) }, null);
  await store.turns.withdraw(access, run.id, 4);
  assert.deepEqual(
    (await queued()).map((turn) => turn.attachments),
    [facts, facts.slice(1)],
  );
  await store.turns.sendHeld(access, run.id);
  await until(run.id, (now) => hasEnded(now) && now.resultTurn === 3);
  const told = (await entries(run.id)).flatMap(({ message_type, tool_input }) => {
    const { turn, attachments: files } = (tool_input ?? {}) as { turn?: number; attachments?: AttachedFile[] };
    return message_type === "USER_MESSAGE" && turn !== undefined ? [[turn, files?.map(({ name }) => name)]] : [];
  });
  assert.deepEqual(told, [
    [1, undefined],
    [2, ["steps.md", "data.csv"]],
    [3, ["data.csv"]],
  ]);
});

test("a message that no agent got to see is in the log with its files", async (t) => {
  const { engine, create, entries, until } = await openEngine(t);
  engine.start();
  const { id } = await create("Look", { agent: "gone", attachments });
  assert.equal((await until(id, hasEnded)).status, "failed");
  assert.deepEqual((await entries(id))[0]?.tool_input, { turn: 1, attachments });
});
