import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepControl } from "#lib/agents/steps/planned-step.ts";
import { planShellStep } from "#lib/agents/steps/shell-step.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import type { FoundCommand, SignSource } from "#lib/setup/found-command.ts";
import { reportSetup } from "./setup-report.ts";
import { withTimeLimit } from "./timed-step.ts";
import { betterSource, inTrialOrder, type Trial } from "./trial.ts";

const found = (kind: SetupKind, source: SignSource, command = `${kind} by ${source}`): FoundCommand => ({
  kind,
  command,
  source,
  confidence: "high",
  evidence: [{ path: "a", line: 1 }],
  reason: "There is an a.",
  folder: "",
  tool: null,
});
const trial = (command: FoundCommand, outcome: Trial["outcome"], tail = ""): Trial => ({
  found: command,
  outcome,
  exitCode: null,
  durationMs: 1200,
  note: outcome === "failed" ? "exit code 1" : null,
  tail,
});

test("commands are tried by kind, the strongest source first", () => {
  const commands = [
    found("test", "CI"),
    found("install", "manifest"),
    found("install", "CI"),
    found("build", "manifest"),
  ];
  assert.deepEqual(
    inTrialOrder(commands).map(({ command }) => command),
    ["install by CI", "install by manifest", "build by manifest", "test by CI"],
  );
});

test("a weaker source is tried only if the stronger ones of its kind do not all work", () => {
  const ci = [trial(found("test", "CI", "a"), "worked"), trial(found("test", "CI", "b"), "worked")];
  assert.equal(betterSource(found("test", "manifest"), ci), "CI");
  assert.equal(betterSource(found("test", "CI", "c"), ci), null);
  assert.equal(betterSource(found("build", "manifest"), ci), null);
  const half = [trial(found("test", "CI", "a"), "worked"), trial(found("test", "CI", "b"), "failed")];
  assert.equal(betterSource(found("test", "manifest"), half), null);
  assert.equal(betterSource(found("test", "manifest"), [trial(found("test", "CI"), "not_tried")]), null);
});

test("a step over its limit has failed, one whose turn is cancelled is cancelled", async () => {
  const step = planShellStep("sleep 60", "sleep", "");
  const control = { cwd: process.cwd(), env: { PATH: process.env.PATH ?? "" }, onProgress: () => {} };
  const late = await withTimeLimit(step, 50).run({ ...control, signal: new AbortController().signal });
  assert.deepEqual([late.cancelled, late.failure], [false, "it took longer than 0.05 s and was stopped"]);
  const cancelled = await withTimeLimit(step, 60_000).run({ ...control, signal: AbortSignal.timeout(50) });
  assert.equal(cancelled.cancelled, true);
});

test("a step with a limit that says nothing for long shows again what it has shown", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const shown: string[] = [];
  const step = planShellStep("", "silent", "");
  const ended = Promise.withResolvers<void>();
  const run = async ({ onProgress }: StepControl) => {
    onProgress("tests passed");
    await ended.promise;
    return step.run(control);
  };
  const control: StepControl = {
    cwd: process.cwd(),
    env: { PATH: process.env.PATH ?? "" },
    signal: new AbortController().signal,
    onProgress: (text) => shown.push(text),
  };
  const result = withTimeLimit({ ...step, run }, 60_000).run(control);
  t.mock.timers.tick(20_000);
  assert.deepEqual(shown, ["tests passed", "tests passed", "tests passed"]);
  ended.resolve();
  assert.equal((await result).failure, null);
  t.mock.timers.tick(20_000);
  assert.equal(shown.length, 3, "a step that has ended shows nothing more");
});

test("the answer says what worked, what failed with its output, and has the proposal", () => {
  const trials = [
    trial(found("install", "CI"), "worked"),
    trial(found("test", "CI"), "failed", "```json\n{}\n```\nlast line"),
  ];
  const text = reportSetup({ commit: "abc", inputs: ["go.sum"], trials, changes: null, leftOut: [] });
  assert.match(text, /^1 of 2 commands worked\. Nothing is saved until someone accepts them\./);
  assert.match(text, /- install: `install by CI` \(1\.2 s\), named in a:1/);
  assert.match(text, /````text\n```json\n\{\}\n```\nlast line\n````/);
  assert.equal(JSON.parse(/```json\n(\{\n[\s\S]*)\n```$/.exec(text)?.[1] ?? "").commands.length, 2);
  assert.match(
    reportSetup({ commit: "abc", inputs: [], trials: [], changes: "x", leftOut: [] }),
    /^I found no setup commands/,
  );
  const worked = [trial(found("install", "CI"), "worked"), trial(found("build", "CI"), "worked")];
  const report = (trials: Trial[], leftOut: string[]) =>
    reportSetup({ commit: "abc", inputs: [], trials, changes: null, leftOut }).split("\n")[0];
  const end = "Nothing is saved until someone accepts them.";
  assert.equal(report(worked, []), `All 2 commands worked. ${end}`);
  assert.equal(
    report(worked, ["the test command in a:1 must have at most 8 KB"]),
    `All 2 commands that I tried worked; some things were left out, which are listed below. ${end}`,
  );
  const skipped = trial(found("test", "CI"), "not_tried");
  assert.equal(report([...worked, skipped], []), `All 2 commands that I tried worked; 1 was not tried. ${end}`);
  assert.equal(report([skipped], []), `I tried none of the commands that I found. ${end}`);
  assert.match(report([], ["x"]) ?? "", /^I found no setup commands that I can propose/);
  assert.match(reportSetup({ commit: null, inputs: [], trials: [], changes: null, leftOut: [] }), /has no commit yet/);
});
