import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { keepProposal, readProposal } from "./setup-proposal.ts";

const block = (json: unknown) => `\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\``;
const problemOf = (answer: string) => {
  const read = readProposal(answer);
  return "problem" in read ? read.problem : "none";
};

test("the last block of JSON in an answer is the proposal; facts left out count as unknown", () => {
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
    left_out: [],
    commands: [
      { kind: "install", command: "npm ci", outcome: "worked", ...blank },
      { kind: "test", command: "npm test", outcome: "not_tried", ...blank },
    ],
  });
});

test("an answer that cannot be read says why", () => {
  assert.match(problemOf("npm ci"), /contains no JSON block/);
  assert.match(problemOf("```json\n{broken\n```"), /cannot be read/);
  assert.match(problemOf(block([])), /do not have the requested form/);
  assert.match(problemOf(block({ commands: "npm ci" })), /do not have the requested form.* commands: /);
  assert.match(problemOf(block({ commands: [], inputs: "go.sum" })), /do not have the requested form.* inputs: /);
  const nothing = problemOf(block({ commands: [{ kind: "start", command: "x" }, 7] }));
  assert.match(
    nothing,
    /^None of the commands in the answer can be used.*\n- command 1 \("x"\): kind .*\n- command 2: /,
  );
});

test("the good entries of an answer are taken, the others listed with the reason", () => {
  const answered = {
    commit: 7,
    commands: [
      { kind: "install", command: "npm ci", outcome: "worked", exit_code: "zero", evidence: [{ path: "a", line: 0 }] },
      { kind: "start", command: "npm start" },
      { kind: "test", command: "a\u0000b" },
      { kind: "test", command: "é".repeat(5000) },
      { kind: "test", command: "npm test", outcome: "passed" },
      { kind: "install", command: " npm ci", outcome: "failed" },
      null,
      { kind: "lint", command: "npm run lint", note: "\ud800 odd\u0000" },
    ],
    inputs: ["go.sum", "../../etc/passwd", "/abs", "./.git/config", ".", 7, "go.sum", "package-lock.json"],
    left_out: ["said by the agent", 7],
  };
  const read = readProposal(block(answered));
  assert.ok("proposal" in read);
  const { proposal, refused } = read;
  const blank = { exit_code: null, duration_ms: null, note: null, confidence: null, evidence: [] };
  assert.deepEqual(
    [proposal.commit, proposal.commands, proposal.inputs],
    [
      null,
      [
        { kind: "install", command: "npm ci", outcome: "worked", ...blank },
        { kind: "lint", command: "npm run lint", outcome: "not_tried", ...blank, note: "\ufffd odd" },
      ],
      ["go.sum", "package-lock.json"],
    ],
  );
  const reasons = [
    /^command 2 \("npm start"\): kind Invalid option/,
    /^command 3 \(.*\): command must not contain NUL/,
    /^command 4 \("é{79}…"\): command must have at most 8 KB/,
    /^command 5 \("npm test"\): outcome Invalid option/,
    /^command 6 \(" npm ci"\): is a duplicate/,
    /^command 7: Invalid input/,
    /^input 2 \("..\/..\/etc\/passwd"\): must be a path inside/,
    /^input 3 .*: must be a path inside/,
    /^input 4 .*: must not be inside \.git/,
    /^input 5 .*: must name a file/,
    /^input 6: Invalid input/,
    /^input 7 \("go\.sum"\): is a duplicate/,
  ];
  assert.equal(refused.length, reasons.length, refused.join("\n"));
  for (const [at, reason] of reasons.entries()) assert.match(refused[at] ?? "", reason);
  assert.deepEqual(proposal.left_out, [...refused, "said by the agent"]);
});

test("of too many entries the first are taken, and the rest are counted", () => {
  const commands = Array.from({ length: 80 }, (_, at) => ({ kind: "test", command: `step ${at}` }));
  const read = readProposal(block({ commands }));
  assert.ok("proposal" in read);
  assert.equal(read.proposal.commands.length, 50);
  assert.match(read.refused[0] ?? "", /^command 51 \("step 50"\): a setup has at most 50 commands/);
  assert.deepEqual([read.refused.length, read.refused.at(-1)], [21, "10 more commands"]);
});

test("a proposal is kept without its unusable entries, which its run's log names", async (t) => {
  const store = await openStore({ file: join(temporaryFolder(t), "errand.db") });
  t.after(() => store.close());
  const { organizationId, userId } = await store.organizations.ensureFirst({
    organization: "Test",
    fullName: "Test",
    email: null,
  });
  const access = { organizationId, userId };
  const names = { name: "x", fullName: "o/x", description: null, source: "/srv/x", defaultBranch: "main" };
  const { id: repositoryId } = (await store.repositories.add(access, names)).repository;
  await store.runs.create(access, plainRun("Find", { repositoryId, sourceType: "SETUP_COMMANDS" }));
  const claimed = await store.queue.claim("test", 60_000);
  assert.ok(claimed !== null);
  const commands = [
    { kind: "install", command: "npm ci" },
    { kind: "start", command: "npm start" },
  ];
  const end = { status: "completed", result: block({ commands }), summary: null, entries: [] } as const;
  const kept = await keepProposal(store, claimed, { ...end, entries: [] });
  const [notice] = kept.entries;
  assert.deepEqual([kept.status, kept.entries.length, notice?.tool_name], ["completed", 1, "errand"]);
  assert.match(JSON.stringify(notice), /Left out of the proposal.*command 2 .*npm start.*kind Invalid option/);
  const setup = await store.setups.find(access, repositoryId);
  assert.deepEqual(
    [setup?.proposal?.proposal.commands.map(({ command }) => command), setup?.proposal?.proposal.left_out.length],
    [["npm ci"], 1],
  );
});
