import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { parseUpdate } from "./message.ts";
import { record } from "./recorder-under-test.fixture.ts";
import { readMessages } from "./stdio-messages.ts";

test("each piece of a long line counts as received, and messages and noise come in order", async () => {
  const received: string[] = [];
  const pieces = ['{"jsonrpc":"2.0",', '"id":', "1}\nnot JSON\n", '{"jsonrpc":"2.0","id":2}'];
  await readMessages(
    Readable.from(pieces.map((piece) => Buffer.from(piece))),
    async ({ id }) => void received.push(`message ${id}`),
    (line) => received.push(`noise ${line}`),
    () => received.push("part"),
  );
  assert.deepEqual(received, ["part", "part", "message 1", "noise not JSON", "part", "message 2"]);
});

test("messages after a byte order mark and several on one line are read; a prefix, or a part that is none, makes it noise", async () => {
  const received: string[] = [];
  const message = (id: number, text = "") => JSON.stringify({ jsonrpc: "2.0", id, text });
  const lines = [
    `\uFEFF${message(1)}`,
    `${message(2)}${message(3)}\t${message(4, '}{"jsonrpc":')}`,
    `[info] ${message(5)}`,
    `${message(6)} done`,
    `${message(7)}{"jsonrpc":"1.0"}`,
  ];
  await readMessages(
    Readable.from([Buffer.from(`${lines.join("\n")}\n`)]),
    async ({ id }) => void received.push(`message ${id}`),
    (line) => received.push(`noise ${line.slice(0, 6)}`),
    () => undefined,
  );
  const noise = ["noise [info]", 'noise {"json', 'noise {"json'];
  assert.deepEqual(received, ["message 1", "message 2", "message 3", "message 4", ...noise]);
});

test("what a tool was given and returned keeps its digits and field names into the entry; the protocol's own numbers are plain", async () => {
  const numbers = '{"id":107505301260286111,"more":[1e400,-0,1E3],"__proto__":{"x":1}}';
  const update = `{"sessionUpdate":"tool_call","toolCallId":"t","title":"get","kind":"other","status":"completed",
    "rawInput":${numbers},"rawOutput":{"rows":[${numbers}]},"locations":[{"path":"a","line":1e0}]}`.replace(
    /\n\s+/g,
    "",
  );
  const line = `{"jsonrpc":"2.0","id":-0,"method":"session/update","params":{"sessionId":"s","update":${update}}}\n`;
  const run = record();
  await readMessages(
    Readable.from([Buffer.from(line)]),
    async ({ id, params }) => {
      assert.equal(id, -0);
      const parsed = parseUpdate(params);
      assert.ok(parsed !== null);
      run.entries.push(...run.recorder.update(parsed));
    },
    (noise) => assert.fail(noise),
    () => undefined,
  );
  const [entry] = run.entries;
  const input = `${numbers.slice(0, -1)},"locations":[{"path":"a","line":1}]}`;
  assert.equal(JSON.stringify(entry?.tool_input), input);
  assert.ok(JSON.stringify(entry?.tool_output).includes(`{"rows":[${numbers}]}`), JSON.stringify(entry));
});
