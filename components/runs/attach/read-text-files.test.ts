import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentBounds } from "#lib/contract/bounds.ts";
import { addTextFiles } from "./read-text-files.ts";
import { parseStoredFiles } from "./stored-files.ts";

const file = (name: string, content: string | number[], type = "") =>
  new File([typeof content === "string" ? content : new Uint8Array(content)], name, { type });

test("text files are accepted, with a media type for text", async () => {
  const added = [
    file("a.csv", "a,b", "text/csv"),
    file("main.ts", "let a", "video/mp2t"),
    file("b.json", "{}", "application/json"),
    file("icon.svg", "<svg/>", "image/svg+xml"),
    file("marked.txt", [0xef, 0xbb, 0xbf, 0x68, 0x69], "text/plain;charset=utf-8"),
  ];
  const { files, refusals } = await addTextFiles([], added);
  assert.deepEqual(refusals, []);
  assert.deepEqual(
    files.map(({ name, media_type, text }) => [name, media_type, text]),
    [
      ["a.csv", "text/csv", "a,b"],
      ["main.ts", "text/plain", "let a"],
      ["b.json", "application/json", "{}"],
      ["icon.svg", "text/plain", "<svg/>"],
      ["marked.txt", "text/plain", "hi"],
    ],
  );
});

test("empty, binary, non-UTF-8 and too large files are refused by name, and the others are accepted", async () => {
  const { files, refusals } = await addTextFiles(
    [],
    [
      file("empty.txt", ""),
      file("program", [0x7f, 0x45, 0x00, 0x46]),
      file("latin.txt", [0x66, 0xfc, 0x72]),
      file("large.log", "x".repeat(attachmentBounds.bytesMax + 1)),
      file("fits.log", "x".repeat(attachmentBounds.bytesMax)),
    ],
  );
  assert.deepEqual(
    files.map(({ name }) => name),
    ["fits.log"],
  );
  assert.deepEqual(refusals, [
    "empty.txt is empty.",
    "program is not text in UTF-8.",
    "latin.txt is not text in UTF-8.",
    "large.log is larger than 256 KB.",
  ]);
});

test("a message has a limited number of files, and a limited total size", async () => {
  const many = Array.from({ length: 12 }, (_, index) => file(`${index}.txt`, "x"));
  const counted = await addTextFiles([], many);
  assert.deepEqual([counted.files.length, counted.refusals.length], [attachmentBounds.filesMax, 2]);
  const large = Array.from({ length: 5 }, (_, index) => file(`${index}.txt`, "é".repeat(131_072 - index)));
  const weighed = await addTextFiles([], large);
  assert.equal(weighed.files.length, 4);
  assert.match(
    weighed.refusals[0] ?? "",
    /^4\.txt was not attached: all text files of a message can total at most 1 MB\.$/,
  );
});

test("the same file is added once; a different file of the same name is renamed", async () => {
  const { files } = await addTextFiles([], [file("a.txt", "1"), file("a.txt", "1"), file("a.txt", "2")]);
  const again = await addTextFiles(files, [file("a.txt", "3")]);
  assert.deepEqual(
    again.files.map(({ name, text }) => `${name} ${text}`),
    ["a.txt 1", "a (2).txt 2", "a (3).txt 3"],
  );
});

test("a name is made readable and is never a path", async () => {
  const names = [
    "../etc/passwd",
    "a\\b.txt",
    "evil\u202etxt.exe",
    "line\nbreak.txt",
    "\u200b",
    "..",
    `${"n".repeat(300)}.md`,
  ];
  const { files } = await addTextFiles(
    [],
    names.map((name, index) => file(name, `${index}`)),
  );
  const got = files.map(({ name }) => name);
  assert.deepEqual(got.slice(1, 6), ["ab.txt", "eviltxt.exe", "linebreak.txt", "file.txt", "file (2).txt"]);
  assert.ok(!got[0]?.includes("/"));
  assert.equal(got[6], `${"n".repeat(197)}.md`);
});

test("only files are read from the browser's storage", () => {
  const one = { name: "a", media_type: "text/plain", text: "x" };
  assert.deepEqual(parseStoredFiles([one, null, { name: "b" }, { ...one, text: 7 }]), [one]);
  assert.deepEqual(parseStoredFiles("x"), []);
});
