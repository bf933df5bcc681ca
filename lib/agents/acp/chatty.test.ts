import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { BoundedText } from "./bounded-text.ts";
import { parseUpdate } from "./message.ts";
import { readMessages } from "./stdio-messages.ts";

const params = (text: string) => ({
  sessionId: "one",
  update: { sessionUpdate: "agent_message_chunk", messageId: "one", content: { type: "text", text } },
});

/** Processor time in milliseconds. */
function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("an agent's small pieces cost little more than reading their JSON", () => {
  const lines = Array.from({ length: 20_000 }, (_, number) => JSON.stringify(params(`word ${number} `)));
  const parseAll = () => lines.forEach((line) => void parseUpdate(JSON.parse(line)));
  parseAll();
  const readAll = () => lines.forEach((line) => void JSON.parse(JSON.stringify(JSON.parse(line))));
  readAll();
  const [read, parsed] = [costOf(readAll), costOf(parseAll)];
  assert.ok(parsed < 5 * read, `${parsed} ms of processor time, ${read} ms for the JSON alone`);
});

test("the end of a text is the end of its pieces, whatever their sizes and whatever was dropped before", () => {
  for (const size of [1, 7, 150, 20_000]) {
    const bounded = new BoundedText(100_000);
    let whole = "";
    for (let number = 0; whole.length < 400_000; number += 1) {
      const piece = `${number} `.padEnd(size, "é").slice(0, Math.max(size, 2));
      bounded.append(piece);
      whole += piece;
      const isLooked = number % 1000 === 0 || whole.length < 300;
      if (isLooked) assert.equal(bounded.recent(), whole.slice(-16_384));
    }
    assert.equal(bounded.recent(), whole.slice(-16_384));
    assert.equal(bounded.length, whole.length);
  }
});

test("an agent that sends without a pause leaves other runs their turns", async () => {
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: params("word") })}\n`;
  const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  let messages = 0;
  let others = 0;
  const other = setInterval(() => {
    others += 1;
  }, 1);
  try {
    await readMessages(
      Readable.from(Array.from({ length: 50 }, () => chunk)),
      async () => {
        messages += 1;
      },
      () => assert.fail("no other lines"),
      () => undefined,
    );
  } finally {
    clearInterval(other);
  }
  assert.equal(messages, (50 * chunk.length) / line.length);
  assert.ok(others >= 50, `others had ${others} turns beside 50 chunks`);
});
