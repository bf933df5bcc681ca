import assert from "node:assert/strict";
import { test } from "node:test";
import { type Proposal, Setup, SetupCommands } from "#lib/contract/repositories/setup.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import { bodyOf, draftOf, draftOfProposal, leftOutWords, newRow } from "./setup-draft.ts";

type Row = [SetupKind, string, "worked" | "failed" | "not_tried", string | null];

const proposalOf = (...rows: Row[]): Proposal => ({
  commit: null,
  inputs: ["go.sum"],
  left_out: [],
  commands: rows.map(([kind, command, outcome, note]) => ({
    kind,
    command,
    outcome,
    note,
    exit_code: null,
    duration_ms: null,
    confidence: null,
    evidence: [],
  })),
});
const setupWith = (commands: Partial<SetupCommands>): Setup =>
  Setup.parse({
    repo_id: 1,
    setup_status: "proposed",
    version: 0,
    ...SetupCommands.parse(commands),
    accepted_by: null,
    accepted_by_name: null,
    accepted_at: null,
    last_use: null,
    prepared: [],
    generate: null,
    proposal: null,
  });

const mixed = proposalOf(
  ["install", "npm ci", "worked", null],
  ["install", "make deps", "failed", "exit code 2"],
  ["build", "make", "not_tried", "make is not installed"],
  ["test", "npm test", "failed", "exit code 1"],
  ["lint", "npm run lint", "failed", "exit code 1"],
);

test("accepting a proposal takes the commands that worked; a sentence counts the rest", () => {
  const body = bodyOf(draftOfProposal(mixed, setupWith({ required: true, timeout_s: 5 }), "accept"));
  assert.deepEqual([body.install, body.build, body.test, body.lint], [["npm ci"], [], [], []]);
  assert.deepEqual([body.inputs, body.required, body.timeout_s], [["go.sum"], true, 5]);
  assert.equal(leftOutWords(mixed, "accept"), "3 commands that failed and 1 that was not tried are left out.");
});

test("editing a proposal keeps failed test and lint commands: the failure may be the code's", () => {
  const body = bodyOf(draftOfProposal(mixed, setupWith({}), "edit"));
  assert.deepEqual([body.install, body.build, body.test, body.lint], [["npm ci"], [], ["npm test"], ["npm run lint"]]);
  assert.equal(leftOutWords(mixed, "edit"), "1 command that failed and 1 that was not tried are left out.");
});

test("the sentence has singular and plural forms, and is null if nothing is left out", () => {
  const failed: Row = ["install", "a", "failed", "exit code 1"];
  const skipped: Row = ["test", "b", "not_tried", "not needed"];
  assert.equal(leftOutWords(proposalOf(["test", "npm test", "worked", null]), "accept"), null);
  assert.equal(leftOutWords(proposalOf(["test", "npm test", "not_tried", null]), "accept"), null);
  assert.equal(leftOutWords(proposalOf(failed), "accept"), "1 command that failed is left out.");
  assert.equal(leftOutWords(proposalOf(failed, failed), "edit"), "2 commands that failed are left out.");
  assert.equal(leftOutWords(proposalOf(skipped), "edit"), "1 command that was not tried is left out.");
  assert.equal(leftOutWords(proposalOf(skipped, skipped), "edit"), "2 commands that were not tried are left out.");
});

test("accepted maintenance commands stay if the proposal has none", () => {
  const setup = setupWith({ install: ["old"], maintenance: ["npm ci"] });
  const body = bodyOf(draftOfProposal(mixed, setup, "accept"));
  assert.deepEqual([body.install, body.maintenance], [["npm ci"], ["npm ci"]]);
  const named = proposalOf(["maintenance", "make up", "worked", null]);
  assert.deepEqual(bodyOf(draftOfProposal(named, setup, "edit")).maintenance, ["make up"]);
});

test("a new row has another id than the rows beside it, whichever were removed or moved", () => {
  const { install } = draftOf(setupWith({ install: ["npm ci", "npm ci", "make"] }));
  assert.equal(new Set(install.map(({ id }) => id)).size, 3);
  const others = install.toReversed().toSpliced(1, 1);
  const ids = others.map(({ id }) => id);
  assert.ok(!ids.includes(newRow(others).id));
  assert.deepEqual(newRow([]).text, "");
});
