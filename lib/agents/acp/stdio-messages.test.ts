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
