// One response with all its parts, which are read together: so this file is longer than others.
import { z } from "zod";
import { defineOperation, Id, RunParams } from "#lib/contract/define-operation.ts";
import { analysisCausesMax, analysisItemsMax, analysisTextMax } from "./analysis-bounds.ts";

const Seq = z.int().min(1);
const Count = z.int().min(0);
const Seqs = z.array(Seq).max(analysisItemsMax);
const ShortText = z.string().max(analysisTextMax);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(analysisItemsMax);

/** A step that proves a finding. */
export const AnalysisEvidence = z.object({
  seq: Seq.describe("The entry that proves it"),
  quote: ShortText.describe("Words quoted exactly from this entry; never empty"),
});
z.globalRegistry.add(AnalysisEvidence, { example: { seq: 38, quote: "1 failed, 11 passed" } });
export type AnalysisEvidence = z.infer<typeof AnalysisEvidence>;

/** Raw counts over the entries read. Notices of the service (tool_name `errand`) do not count as calls. */
export const AnalysisTotals = z.object({
  calls: Count.describe("Entries of type ACTION"),
  flagged: Count.describe(
    "Calls whose result itself says that it failed: is_error, isError, success: false, error, or a failed status",
  ),
  failed: Count.describe("Calls with the outcome failed: the ones `errors=true` finds among calls"),
  refused: Count.describe("Calls refused by a person"),
  cancelled: Count.describe("Calls that were cancelled"),
  unanswered: Count.describe("Calls without a result"),
  user_messages: Count.describe("Entries of type USER_MESSAGE"),
  error_entries: Count.describe("Entries of type ERROR"),
});
z.globalRegistry.add(AnalysisTotals, { example: { calls: 30, flagged: 2, failed: 2, user_messages: 1 } });
export type AnalysisTotals = z.infer<typeof AnalysisTotals>;

export const AnalysisVerdict = z.enum(["answered", "gave_up", "stopped", "broken"]);
export type AnalysisVerdict = z.infer<typeof AnalysisVerdict>;

/** How the run ended. */
export const AnalysisOutcome = z.object({
  status: z.string().describe("The run's status").meta({ example: "completed" }),
  ended_by: z
    .enum(["agent", "person", "limit", "service"])
    .nullable()
    .describe("Who ended it; limit is a limit on time, turns or tokens. Null while the run is live"),
  verdict: AnalysisVerdict.nullable().describe(
    "answered: it has a final answer. gave_up: it says it did not succeed. stopped: ended by a person or a limit. broken: ended by an error, or the log breaks off. Null while the run is live",
  ),
  seq: Seq.nullable().describe("The entry that shows it").meta({ example: 42 }),
});
export type AnalysisOutcome = z.infer<typeof AnalysisOutcome>;

export const AnalysisPhase = z.object({
  kind: z
    .enum(["orient", "edit", "verify", "repair", "wait_person", "idle", "wrap_up"])
    .describe("Kind of work in this phase"),
  from: Seq.describe("Its first entry"),
  to: Seq.describe("Its last entry"),
  ms: Count.describe("Time from the end of the previous phase to the end of this one"),
  calls: Count.describe("Calls in it"),
  failed: Count.describe("Failed calls"),
  errors: Count.describe("Failed calls and entries of type ERROR"),
  tokens: Count.nullable().describe("Tokens the agent reported with these steps; null if it reports none"),
  cost_usd: z
    .number()
    .nullable()
    .describe("Cost in US dollars the agent reported with these steps; null if it reports none"),
});
z.globalRegistry.add(AnalysisPhase, { example: { to: 12, ms: 64_000, calls: 9, tokens: 4100, cost_usd: 0.12 } });
export type AnalysisPhase = z.infer<typeof AnalysisPhase>;

export const causeRules = [
  "run_limit",
  "provider_error",
  "missing_tool",
  "network_blocked",
  "permission_refused",
  "dependency_install_failed",
  "tests_red_at_end",
  "edits_not_applied",
  "context_compacted",
  "gave_up",
  "not_verified",
] as const;

/** A possible cause of a run's failure, in the order of the rules. */
export const AnalysisCause = z.object({
  rule: z.enum(causeRules).describe("The rule that found it").meta({ example: "tests_red_at_end" }),
  title: ShortText.describe("One-line summary").meta({ example: "The last run of the tests fails" }),
  confidence: z.enum(["certain", "likely", "possible"]).describe("How certain the rule is"),
  evidence: list(AnalysisEvidence).min(1).describe("The first steps that prove it"),
  count: Count.describe("How many steps prove it; `evidence` has the first of them").meta({ example: 1 }),
  first_seq: Seq.describe("The first step that proves it").meta({ example: 38 }),
  why: z.string().max(1000).describe("What follows from the evidence, in plain words"),
});
z.globalRegistry.add(AnalysisCause, {
  example: { why: "npm test fails after the last change to a file, and no later run passes." },
});
export type AnalysisCause = z.infer<typeof AnalysisCause>;

/** pass and fail are verdicts on the code; error: the check itself could not run; unknown: the log does not say. */
export const TestVerdict = z.enum(["pass", "fail", "error", "unknown"]);
export type TestVerdict = z.infer<typeof TestVerdict>;

export const TestKind = z.enum(["test", "typecheck", "lint", "build", "script"]);
export type TestKind = z.infer<typeof TestKind>;

/** One run of tests, a type check, a linter or a build. A script of several commands has an item for each check. */
export const AnalysisTestRun = z.object({
  seq: Seq.describe("The call that started it").meta({ example: 38 }),
  read_seq: Seq.describe("The entry that holds its end: a later one if its output was waited for").meta({
    example: 38,
  }),
  command: ShortText.describe("The command without pipe filters").meta({ example: "npm test" }),
  kind: TestKind.describe("Kind of check"),
  framework: z
    .string()
    .max(40)
    .nullable()
    .describe("jest, pytest, go, tsc …; null if unknown")
    .meta({ example: "jest" }),
  passed: Count.nullable().describe("Passed tests, if the output counts them").meta({ example: 11 }),
  failed: Count.nullable().describe("Failed tests or errors, if the output counts them").meta({ example: 1 }),
  skipped: Count.nullable().describe("Skipped tests, if the output counts them"),
  verdict: TestVerdict.describe(
    "pass and fail are verdicts on the code; error: the check could not run; unknown: the log does not say",
  ).meta({ example: "fail" }),
  exit: z
    .enum(["seen", "hidden"])
    .describe(
      "seen: the call's exit code is the checker's own. hidden: a pipe, `;` or `||` comes before it, or none was reported",
    ),
  flagged: z.boolean().describe("Whether the call's outcome is failed, so that the failing run shows as an error"),
  quote: ShortText.nullable()
    .describe("The words of entry read_seq that state the verdict; null if there are none")
    .meta({ example: "1 failed, 11 passed" }),
});
export type AnalysisTestRun = z.infer<typeof AnalysisTestRun>;

const TestMark = AnalysisTestRun.pick({
  seq: true,
  command: true,
  verdict: true,
  passed: true,
  failed: true,
  skipped: true,
});

/** A check that passed and then failed, for a while or to the end. */
export const AnalysisRegression = z.object({
  command: ShortText.describe("The check's command").meta({ example: "npm test" }),
  test: ShortText.nullable().describe("The test's name, if the output names it"),
  green_seq: Seq.describe("The last passing run before").meta({ example: 4 }),
  red_seq: Seq.describe("The first failing run after it").meta({ example: 38 }),
  edits: Seqs.describe("File changes between the two").meta({ example: [21, 30] }),
  resolved_seq: Seq.nullable().describe("The first passing run after that; null if it kept failing"),
});
z.globalRegistry.add(AnalysisRegression, { example: { test: "reads the date in UTC", resolved_seq: null } });
export type AnalysisRegression = z.infer<typeof AnalysisRegression>;

/** A test file edited between a failing and a passing run of the same check: the expectation may have been changed. */
export const ExpectationChange = z.object({
  red_seq: Seq.describe("The failing run of the check before").meta({ example: 9 }),
  green_seq: Seq.describe("The passing run after").meta({ example: 15 }),
  seqs: Seqs.min(1).describe("The edits in between"),
  path: ShortText.describe("The test file").meta({ example: "test/date.test.ts" }),
});
z.globalRegistry.add(ExpectationChange, { example: { seqs: [12] } });
export type ExpectationChange = z.infer<typeof ExpectationChange>;

export const AnalysisTests = z.object({
  runs: list(AnalysisTestRun).describe("Every run of a check, in order"),
  first: TestMark.nullable().describe("The first run of tests with a verdict of pass or fail"),
  last: TestMark.nullable().describe("The last run of tests with a verdict of pass or fail"),
  before: TestMark.nullable().describe("The last such run before the first change to a file"),
  after: TestMark.nullable().describe("The last such run after the last change to a file"),
  regressed: list(AnalysisRegression).describe("Checks that passed and then failed, for a while or to the end"),
  expectation_changes: list(ExpectationChange).describe(
    "Test files edited between a failing and a passing run of the same check",
  ),
});
z.globalRegistry.add(AnalysisTests, {
  example: { first: { seq: 4, verdict: "pass", failed: 0 }, before: { seq: 4, verdict: "pass", failed: 0 } },
});
export type AnalysisTests = z.infer<typeof AnalysisTests>;

/** Errors that are the same except for numbers, paths and ids. */
export const AnalysisErrorCluster = z.object({
  signature: ShortText.describe("The message without the parts that vary"),
  count: Count.describe("How many entries report it").meta({ example: 2 }),
  seqs: Seqs.describe("The first of these entries").meta({ example: [9, 11] }),
  sample: ShortText.describe("The message as the first of these entries has it"),
  tool: ShortText.nullable().describe("The tool that failed; null for entries of type ERROR").meta({ example: "Bash" }),
  resolved_at: Seq.nullable().describe("The first success of the same call after the last of these entries"),
});
z.globalRegistry.add(AnalysisErrorCluster, {
  example: { signature: "Cannot find module <path>", sample: "Cannot find module './dates'", resolved_at: 15 },
});
export type AnalysisErrorCluster = z.infer<typeof AnalysisErrorCluster>;

/**
 * Repetitions of a call. loop: three times or more with the same output and no change in between. polling: waiting for
 * something that is running. rerun_after_edit: something was changed in between. flaky: the same check, no change, another
 * verdict.
 */
export const AnalysisRepeat = z.object({
  kind: z
    .enum(["loop", "polling", "rerun_after_edit", "flaky"])
    .describe(
      "Why it was called again: loop has the same output each time; polling waits for something; rerun_after_edit follows a change; flaky had a different verdict without a change",
    ),
  tool: ShortText.describe("The tool that was called").meta({ example: "Bash" }),
  call: ShortText.describe("The command, path or other first words of the call, from its first entry"),
  count: Count.describe("How many times it was called").meta({ example: 3 }),
  seqs: Seqs.describe("The first of these calls").meta({ example: [4, 15, 38] }),
  wasted_bytes: Count.describe("Bytes of output that said nothing new; 0 if each call had a reason"),
});
z.globalRegistry.add(AnalysisRepeat, { example: { kind: "rerun_after_edit", call: "npm test" } });
export type AnalysisRepeat = z.infer<typeof AnalysisRepeat>;

export const AnalysisWaste = z.object({
  bytes: Count.describe("Bytes of output that were of no use").meta({ example: 8200 }),
  share: z.number().min(0).max(1).describe("Share of all bytes of output").meta({ example: 0.04 }),
  items: list(
    z.object({
      rule: z
        .enum(["repeated_read", "oversized_output", "failed_retry", "unused_output"])
        .describe("The rule that found it"),
      seqs: Seqs.describe("The first of the calls").meta({ example: [6, 18] }),
      count: Count.describe("Number of calls").meta({ example: 17 }),
      bytes: Count.describe("Bytes of their output that were of no use").meta({ example: 8200 }),
    }),
  ).describe("Findings, most bytes first"),
});
export type AnalysisWaste = z.infer<typeof AnalysisWaste>;

export const AnalysisTool = z.object({
  name: ShortText.describe("The tool's name").meta({ example: "Bash" }),
  calls: Count.describe("How often it was called").meta({ example: 17 }),
  errors: Count.describe("How many of these calls failed").meta({ example: 2 }),
  p50_ms: Count.nullable().describe("Half of its calls took at most this long; null if no duration was reported"),
  p95_ms: Count.nullable().describe("95% of its calls took at most this long; null if no duration was reported"),
  bytes: Count.describe("Bytes of output").meta({ example: 96_000 }),
});
z.globalRegistry.add(AnalysisTool, { example: { p50_ms: 310, p95_ms: 5200 } });
export type AnalysisTool = z.infer<typeof AnalysisTool>;

export const AnalysisFile = z.object({
  path: ShortText.describe("The file as the calls name it").meta({ example: "test/date.test.ts" }),
  reads: Count.describe("How often it was read").meta({ example: 3 }),
  writes: Count.describe("How often it was written").meta({ example: 1 }),
  first_seq: Seq.describe("The first call on it").meta({ example: 6 }),
  last_seq: Seq.describe("The last call on it").meta({ example: 30 }),
  kept: z
    .boolean()
    .nullable()
    .describe("Whether a written file is in the run's diff; null if there is no complete diff, or nothing was written"),
});
export type AnalysisFile = z.infer<typeof AnalysisFile>;

/** Findings about a run from its log, by rules, without a model: the same entries give the same result. */
export const Analysis = z.object({
  agent_run_id: Id.describe("The run"),
  entries: Count.describe("Entries the run had at the time of the request").meta({ example: 42 }),
  analysed: Count.describe("Entries this result is based on: 1 … analysed").meta({ example: 42 }),
  partial: z.boolean().describe("The result is not final: the run is live, or its entries are still being read"),
  version: z.int().describe("Version of the rules"),
  totals: AnalysisTotals.describe("Counts over the entries read"),
  counts: z
    .object({
      phases: Count.describe("Items of `phases`").meta({ example: 1 }),
      test_runs: Count.describe("Items of `tests.runs`").meta({ example: 1 }),
      regressed: Count.describe("Items of `tests.regressed`").meta({ example: 1 }),
      expectation_changes: Count.describe("Items of `tests.expectation_changes`").meta({ example: 1 }),
      errors: Count.describe("Items of `errors`").meta({ example: 1 }),
      repeats: Count.describe("Items of `repeats`").meta({ example: 1 }),
      waste: Count.describe("Items of `waste.items`").meta({ example: 1 }),
      tools: Count.describe("Items of `tools`").meta({ example: 1 }),
      files: Count.describe("Items of `files`").meta({ example: 1 }),
    })
    .describe(`How many items each list has in total; a list holds at most ${analysisItemsMax}`),
  analysed_by: list(Id).describe("Runs that analyze this one, from its AGENT_RUN_LINK entries, newest first"),
  outcome: AnalysisOutcome.describe("How the run ended"),
  phases: list(AnalysisPhase).describe(
    "In order; if there are too many, neighbors with the smallest gap in time are merged",
  ),
  causes: z
    .array(AnalysisCause)
    .max(analysisCausesMax)
    .describe("Ranked, most likely first; empty if nothing went wrong"),
  tests: AnalysisTests.describe("Tests, type checks, linters and builds"),
  errors: list(AnalysisErrorCluster).describe("Most frequent first"),
  repeats: list(AnalysisRepeat).describe("Most wasted bytes first"),
  waste: AnalysisWaste.describe("Output that was of no use"),
  slowest: z
    .array(
      z.object({
        seq: Seq.describe("The call").meta({ example: 38 }),
        tool: ShortText.describe("The tool that was called").meta({ example: "Bash" }),
        call: ShortText.describe("The command, path or other first words of the call").meta({ example: "npm test" }),
        ms: Count.describe("How long it took, in milliseconds").meta({ example: 5200 }),
      }),
    )
    .max(10)
    .describe("The ten slowest calls"),
  tools: list(AnalysisTool).describe("Most calls first"),
  files: list(AnalysisFile).describe("Written files first, then the most read"),
  limits: z.array(ShortText).max(20).describe("What the log does not show, one sentence each"),
});
z.globalRegistry.add(Analysis, {
  example: { partial: false, analysed_by: [], limits: ["The log does not show what the tests' setup printed."] },
});
export type Analysis = z.infer<typeof Analysis>;

/** Detail of the 400 for a run without entries, in the reference service's words. */
export const noLogsForAnalysis = "No logs available for analysis";

export const getAnalysis = defineOperation({
  id: "getAnalysis",
  summary: "See what a run's log says about it",
  description:
    "Found by rules, without a model: how the run ended and why, tests before and after, related errors, repeated calls, wasted output, slow calls, files. Every finding names the entries that prove it. The same entries always give the same result. While a long log is being read, and while the run is live, `partial` is true and `analysed` says how many entries the result is based on: ask again later. A result that does not cover all entries of the run has no `ETag`. A run without entries gives 400.",
  scope: "runs:read",
  stability: "alpha",
  tagged: true,
  params: RunParams,
  result: Analysis,
});
