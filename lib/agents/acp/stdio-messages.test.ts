import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
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
