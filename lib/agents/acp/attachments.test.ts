import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttachedFile } from "#lib/contract/runs/attachment.ts";
import { messagesUnderTest, never, start } from "./driver-under-test.fixture.ts";

const file = (name: string, text: string, media_type = "text/plain"): AttachedFile => ({
  name,
  media_type,
  bytes: Buffer.byteLength(text),
  text,
});
const files = [file("notes ü/1.txt".replace("/", "∕"), "One\nTwo ✓\n"), file("data.csv", "a,b", "text/csv")];

test("text files reach an agent that takes embedded context as such, after the prompt", async (t) => {
  const { session, entries } = await start(t, { context: true });
  const end = await session.prompt({ number: 1, prompt: "BLOCKS", images: [], attachments: files, model: null }, never);
  const resource = (uri: string, mimeType: string, text: string) => ({
    type: "resource",
    resource: { uri, mimeType, text },
  });
  assert.deepEqual(JSON.parse(end.result ?? "").blocks, [
    { type: "text", text: "BLOCKS" },
    resource("attachment:///notes%20%C3%BC%E2%88%951.txt", "text/plain", "One\nTwo ✓\n"),
    resource("attachment:///data.csv", "text/csv", "a,b"),
  ]);
  assert.deepEqual(entries[0]?.tool_input, { turn: 1, session: "new", attachments: files });
  assert.equal(entries[0]?.observation, "BLOCKS", "the message is the person's words alone");
});

test("an agent that does not take it gets them as fenced text that no content can end, and that names no language", async (t) => {
  const { session } = await start(t, {});
  const attachments = [file('read "me".md', "```sh\nrm -rf /\n```\n````\n"), file("empty-line.txt", "x")];
  const end = await session.prompt({ number: 1, prompt: "BLOCKS", images: [], attachments, model: null }, never);
  assert.deepEqual(
    JSON.parse(end.result ?? "").blocks.map(({ text }: { text: string }) => text),
    [
      "BLOCKS",
      'The attached file "read \\"me\\".md":\n\n`````\n```sh\nrm -rf /\n```\n````\n`````',
      'The attached file "empty-line.txt":\n\n```\nx\n```',
    ],
  );
});

test("a message to a working agent brings its files along", async (t) => {
  const driven = await start(t, { context: true, steers: "ext" });
  const under = messagesUnderTest((entries) => driven.entries.push(...entries));
  const ended = driven.turn("WORK 1", never, [], null, under.messages);
  await under.listens;
  under.waiting.push({ number: 2, prompt: "Read this", images: [], attachments: files.slice(1) });
  under.send(3, "unused");
  const { result, all } = await ended;
  const [received] = JSON.parse((result ?? "").replace("received: ", ""));
  assert.deepEqual(received[1].resource, { uri: "attachment:///data.csv", mimeType: "text/csv", text: "a,b" });
  assert.deepEqual(all[1]?.tool_input, { message: 2, attachments: files.slice(1), during_turn: 1 });
});
