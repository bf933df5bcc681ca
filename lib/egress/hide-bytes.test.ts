import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { formsToHide, hideBytes } from "./hide-bytes.ts";

const secret = "sk-abcabd-ä";

async function hidden(chunks: Buffer[]): Promise<string> {
  const hiding = hideBytes(formsToHide(secret));
  const all = text(hiding);
  for (const chunk of chunks) hiding.write(chunk);
  hiding.end();
  return all;
}

test("a secret is overwritten however the stream is cut, and nothing else changes", async () => {
  const bytes = Buffer.from(`sk-abc ${secret}${secret} sk-abcabc x${secret}`);
  const asterisks = "*".repeat(Buffer.byteLength(secret));
  const expected = `sk-abc ${asterisks}${asterisks} sk-abcabc x${asterisks}`;
  for (let first = 0; first <= bytes.length; first++) {
    for (const step of [1, 5, bytes.length]) {
      const parts = [bytes.subarray(0, first)];
      for (let at = first; at < bytes.length; at += step) parts.push(bytes.subarray(at, at + step));
      assert.equal(await hidden(parts), expected);
    }
  }
  assert.equal(await hidden([Buffer.from(`${secret.slice(0, 5)}`)]), secret.slice(0, 5));
});

test("a secret is overwritten in its encodings too, and a short one as it is", async () => {
  const key = "sk-real-7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
  const bytes = Buffer.from(key);
  for (const form of [key, bytes.toString("base64").slice(0, -4), bytes.toString("hex"), key.toLowerCase()]) {
    const hiding = hideBytes(formsToHide(key));
    const all = text(hiding);
    for (const character of `a ${form} b`) hiding.write(character);
    hiding.end();
    assert.equal(await all, `a ${"*".repeat(form.length)} b`);
  }
  assert.deepEqual(formsToHide("abc"), ["abc"]);
});

test("only bytes that may begin the secret are held back", () => {
  const hiding = hideBytes(formsToHide(secret));
  hiding.write("data: 1\n\n");
  assert.equal(String(hiding.read()), "data: 1\n\n");
  hiding.write("data: sk-ab");
  assert.equal(String(hiding.read()), "data: ");
});
