import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputWindow } from "./output-window.ts";

test("up to 256 KB nothing is left out, and characters split over chunks are whole", () => {
  const output = new OutputWindow();
  const bytes = Buffer.from("é".repeat(128 * 1024));
  for (let at = 0; at < bytes.length; at += 4097) output.append(bytes.subarray(at, at + 4097));
  assert.deepEqual(output.read(), { text: bytes.toString(), droppedBytes: 0 });
});

test("beyond 256 KB the first 64 KB and the last 192 KB are kept and the text says how much is missing", () => {
  const output = new OutputWindow();
  for (let line = 0; line < 100_000; line += 1) output.append(Buffer.from(`line ${line}\n`));
  const { text, droppedBytes } = output.read();
  const [head = "", tail = ""] = text.split(/\n… [\d,]+ bytes of output left out here …\n/);
  assert.equal(head.length, 64 * 1024);
  assert.equal(tail.length, 192 * 1024);
  assert.ok(head.startsWith("line 0\nline 1\n") && tail.endsWith("line 99999\n"));
  assert.equal(droppedBytes, 1_088_890 - 256 * 1024);
  assert.ok(text.includes(`… ${droppedBytes.toLocaleString("en-US")} bytes`));
});

test("a cut never breaks a character and the dropped bytes still add up", () => {
  const output = new OutputWindow();
  const bytes = Buffer.from(`x${"😀".repeat(200_000)}`);
  output.append(bytes);
  const { text, droppedBytes } = output.read();
  assert.ok(!text.includes("\uFFFD"));
  const kept = Buffer.byteLength(text.replace(/\n… [\d,]+ bytes of output left out here …\n/, ""));
  assert.equal(kept + droppedBytes, bytes.length);
});

test("the tail is bounded and whole at every length", () => {
  const output = new OutputWindow();
  for (const letter of ["a", "é", "€", "😀"]) {
    output.append(Buffer.from(letter.repeat(30_000)));
    for (const bytesMax of [16_384, 16_383, 16_382, 16_381]) {
      const tail = output.readTail(bytesMax);
      assert.ok(Buffer.byteLength(tail) <= bytesMax && Buffer.byteLength(tail) > bytesMax - 4);
      assert.match(tail, new RegExp(`^${letter}+$`, "u"));
    }
  }
});

test("a character that has not fully arrived is not shown in the tail yet", () => {
  const output = new OutputWindow();
  output.append(Buffer.from("a€").subarray(0, 3));
  assert.equal(output.readTail(100), "a");
});
