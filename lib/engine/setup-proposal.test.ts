import assert from "node:assert/strict";
import { test } from "node:test";
import { readProposal } from "./setup-proposal.ts";

const block = (json: unknown) => `\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\``;
const problemOf = (answer: string) => {
  const read = readProposal(answer);
  return "problem" in read ? read.problem : "none";
};

test("the last block of JSON in an answer is the proposal, with what is left out as not known", () => {
  const answer = [
    "First I tried this:",
    block({ commands: [{ kind: "install", command: "wrong" }] }),
    "Then:",
    `~~~~text\n${block({ commands: [{ kind: "install", command: "printed by a test" }] })}\n~~~~`,
    block({
      commands: [
        { kind: "install", command: " npm ci ", outcome: "worked" },
        { kind: "test", command: "npm test" },
      ],
    }),
    "Done.",
  ].join("\n\n");
  const read = readProposal(answer);
  assert.ok("proposal" in read);
  const blank = { exit_code: null, duration_ms: null, note: null, confidence: null, evidence: [] };
  assert.deepEqual(read.proposal, {
    commit: null,
    inputs: [],
    commands: [
      { kind: "install", command: "npm ci", outcome: "worked", ...blank },
      { kind: "test", command: "npm test", outcome: "not_tried", ...blank },
    ],
  });
});

test("an answer that cannot be read says why", () => {
  assert.match(problemOf("npm ci"), /holds no block of JSON/);
  assert.match(problemOf("```json\n{broken\n```"), /cannot be read/);
  assert.match(problemOf(block({ commands: [{ kind: "start", command: "x" }] })), /commands\.0\.kind/);
  assert.match(
    problemOf(block({ commands: [{ kind: "test", command: "a\u0000b" }] })),
    /commands\.0\.command: must not contain NUL/,
  );
  assert.match(problemOf(block({ commands: [{ kind: "test", command: "é".repeat(5000) }] })), /must have at most 8 KB/);
  const held = { commands: [], inputs: ["../../etc/passwd", "/abs"] };
  assert.match(problemOf(block(held)), /inputs\.0: must be a path inside/);
  assert.match(problemOf(block({ commands: [], inputs: ["./.git/config"] })), /must not lie in \.git/);
  assert.match(problemOf(block({ commands: [], inputs: ["."] })), /must name a file/);
  const many = Array.from({ length: 51 }, () => ({ kind: "test", command: "x" }));
  assert.match(problemOf(block({ commands: many })), /commands/);
});
