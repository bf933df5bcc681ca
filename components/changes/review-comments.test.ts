import assert from "node:assert/strict";
import { test } from "node:test";
import { messageOf, placeOf, quoteOf, readComments, sendingKey } from "./review-comments.ts";

const line = (kind: "same" | "added" | "removed", oldLine: number | null, newLine: number | null, text: string) => ({
  ...{ kind, oldLine, newLine, text, id: 1, marks: [], end: null, endSign: null },
});
const lines = [
  line("same", 3, 3, "a"),
  line("removed", 4, null, "b"),
  line("added", null, 4, "```c"),
  line("same", 5, 5, "d"),
];

test("lines are located in the changed file, or in the previous version if only removed lines are chosen", () => {
  assert.deepEqual(placeOf(lines), { side: "after", from: 3, to: 5 });
  assert.deepEqual(placeOf(lines.slice(1, 2)), { side: "before", from: 4, to: 4 });
  assert.equal(placeOf([line("added", null, null, "x")]), null);
});

test("the message has the path, lines and code of each comment, whatever they contain", () => {
  const comment = {
    id: "1",
    path: "src/`odd`.ts",
    side: "after" as const,
    from: 3,
    to: 5,
    code: quoteOf(lines),
    text: " Why?\n",
  };
  assert.equal(
    messageOf([comment, { ...comment, path: "b.ts", side: "before", to: 3, code: "-b", text: "Keep it." }]),
    "Please address these review comments on your changes.\n\n" +
      "``src/`odd`.ts``, lines 3–5:\n\n````\n a\n-b\n+```c\n d\n````\n\nWhy?\n\n" +
      "`b.ts`, line 3 before the change:\n\n```\n-b\n```\n\nKeep it.",
  );
});

test("a long quotation is cut, and unreadable storage yields no comments", () => {
  const quoted = quoteOf(Array.from({ length: 70 }, () => line("added", null, 1, "x"))).split("\n");
  assert.deepEqual([quoted.length, quoted.at(-1)], [61, "… 10 more lines"]);
  const minified = quoteOf([line("added", null, 1, `${"x".repeat(499)}😀${"x".repeat(300_000)}`)]);
  assert.ok(minified.length < 510 && minified.isWellFormed() && minified.endsWith("…"));
  for (const text of ["", "{", "{}", '[{"id":1}]']) assert.deepEqual(readComments(text), []);
});

test("the same comments are sent once; other comments, another text or another run are sent as well", () => {
  const one = { id: "1", path: "a.ts", side: "after" as const, from: 1, to: 1, code: "+a", text: "Why?" };
  const comments = [one, { ...one, id: "2" }, { ...one, id: "3" }, { ...one, id: "4" }];
  const key = sendingKey(7, comments);
  assert.equal(sendingKey(7, readComments(JSON.stringify(comments))), key);
  assert.match(key, /^[\x21-\x7e]{1,255}$/);
  const [first, second, third, last] = comments;
  const others = [
    sendingKey(8, comments),
    ...[
      [first, second, last],
      [first, third, last],
      [...comments.slice(0, 3), { ...one, id: "4", text: "Why not?" }],
    ].map((set) =>
      sendingKey(
        7,
        set.flatMap((each) => each ?? []),
      ),
    ),
  ];
  assert.equal(new Set([key, ...others]).size, 5);
});
