import { z } from "zod";
import { analysisCausesMax, analysisItemsMax, analysisTextMax } from "./analysis-bounds.ts";
import { defineOperation, Id, OrgParams } from "./define-operation.ts";

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
export type AnalysisTotals = z.infer<typeof AnalysisTotals>;

export const AnalysisVerdict = z.enum(["answered", "gave_up", "stopped", "broken"]);
export type AnalysisVerdict = z.infer<typeof AnalysisVerdict>;

/** How the run ended. */
export const AnalysisOutcome = z.object({
  status: z.string().describe("The run's status"),
  ended_by: z
    .enum(["agent", "person", "limit", "service"])
    .nullable()
    .describe("Who ended it; limit is a limit on time, turns or tokens. Null while the run is live"),
  verdict: AnalysisVerdict.nullable().describe(
    "answered: it has a final answer. gave_up: it says it did not succeed. stopped: ended by a person or a limit. broken: ended by an error, or the log breaks off. Null while the run is live",
  ),
  seq: Seq.nullable().describe("The entry that shows it"),
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
  rule: z.enum(causeRules).describe("The rule that found it"),
  title: ShortText.describe("One-line summary"),
  confidence: z.enum(["certain", "likely", "possible"]).describe("How certain the rule is"),
  evidence: list(AnalysisEvidence).min(1).describe("The first steps that prove it"),
  count: Count.describe("How many steps prove it; `evidence` has the first of them"),
  first_seq: Seq.describe("The first step that proves it"),
  why: z.string().max(1000).describe("What follows from the evidence, in plain words"),
});
export type AnalysisCause = z.infer<typeof AnalysisCause>;

/** pass and fail are verdicts on the code; error: the check itself could not run; unknown: the log does not say. */
export const TestVerdict = z.enum(["pass", "fail", "error", "unknown"]);
export type TestVerdict = z.infer<typeof TestVerdict>;

export const TestKind = z.enum(["test", "typecheck", "lint", "build", "script"]);
export type TestKind = z.infer<typeof TestKind>;

/** One run of tests, a type check, a linter or a build. A script of several commands has an item for each check. */
export const AnalysisTestRun = z.object({
  seq: Seq.describe("The call that started it"),
  read_seq: Seq.describe("The entry that holds its end: a later one if its output was waited for"),
  command: ShortText.describe("The command without pipe filters"),
  kind: TestKind.describe("Kind of check"),
  framework: z.string().max(40).nullable().describe("jest, pytest, go, tsc …; null if unknown"),
  passed: Count.nullable().describe("Passed tests, if the output counts them"),
  failed: Count.nullable().describe("Failed tests or errors, if the output counts them"),
  skipped: Count.nullable().describe("Skipped tests, if the output counts them"),
  verdict: TestVerdict.describe(
    "pass and fail are verdicts on the code; error: the check could not run; unknown: the log does not say",
  ),
  exit: z
    .enum(["seen", "hidden"])
    .describe(
      "seen: the call's exit code is the checker's own. hidden: a pipe, `;` or `||` comes before it, or none was reported",
    ),
  flagged: z.boolean().describe("Whether the call's outcome is failed, so that the failing run shows as an error"),
  quote: ShortText.nullable().describe("The words of entry read_seq that state the verdict; null if there are none"),
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
  command: ShortText.describe("The check's command"),
  test: ShortText.nullable().describe("The test's name, if the output names it"),
  green_seq: Seq.describe("The last passing run before"),
  red_seq: Seq.describe("The first failing run after it"),
  edits: Seqs.describe("File changes between the two"),
  resolved_seq: Seq.nullable().describe("The first passing run after that; null if it kept failing"),
});
export type AnalysisRegression = z.infer<typeof AnalysisRegression>;

/** A test file edited between a failing and a passing run of the same check: the expectation may have been changed. */
export const ExpectationChange = z.object({
  red_seq: Seq.describe("The failing run of the check before"),
  green_seq: Seq.describe("The passing run after"),
  seqs: Seqs.min(1).describe("The edits in between"),
  path: ShortText.describe("The test file"),
});
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
export type AnalysisTests = z.infer<typeof AnalysisTests>;

/** Errors that are the same except for numbers, paths and ids. */
export const AnalysisErrorCluster = z.object({
  signature: ShortText.describe("The message without the parts that vary"),
  count: Count.describe("How many entries report it"),
  seqs: Seqs.describe("The first of these entries"),
  sample: ShortText.describe("The message as the first of these entries has it"),
  tool: ShortText.nullable().describe("The tool that failed; null for entries of type ERROR"),
  resolved_at: Seq.nullable().describe("The first success of the same call after the last of these entries"),
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
  tool: ShortText.describe("The tool that was called"),
  call: ShortText.describe("The command, path or other first words of the call, from its first entry"),
  count: Count.describe("How many times it was called"),
  seqs: Seqs.describe("The first of these calls"),
  wasted_bytes: Count.describe("Bytes of output that said nothing new; 0 if each call had a reason"),
});
export type AnalysisRepeat = z.infer<typeof AnalysisRepeat>;

export const AnalysisWaste = z.object({
  bytes: Count.describe("Bytes of output that were of no use"),
  share: z.number().min(0).max(1).describe("Share of all bytes of output"),
  items: list(
    z.object({
      rule: z
        .enum(["repeated_read", "oversized_output", "failed_retry", "unused_output"])
        .describe("The rule that found it"),
      seqs: Seqs.describe("The first of the calls"),
      count: Count.describe("Number of calls"),
      bytes: Count.describe("Bytes of their output that were of no use"),
    }),
  ).describe("Findings, most bytes first"),
});
export type AnalysisWaste = z.infer<typeof AnalysisWaste>;

export const AnalysisTool = z.object({
  name: ShortText.describe("The tool's name"),
  calls: Count.describe("How often it was called"),
  errors: Count.describe("How many of these calls failed"),
  p50_ms: Count.nullable().describe("Half of its calls took at most this long; null if no duration was reported"),
  p95_ms: Count.nullable().describe("95% of its calls took at most this long; null if no duration was reported"),
  bytes: Count.describe("Bytes of output"),
});
export type AnalysisTool = z.infer<typeof AnalysisTool>;

export const AnalysisFile = z.object({
  path: ShortText.describe("The file as the calls name it"),
  reads: Count.describe("How often it was read"),
  writes: Count.describe("How often it was written"),
  first_seq: Seq.describe("The first call on it"),
  last_seq: Seq.describe("The last call on it"),
  kept: z
    .boolean()
    .nullable()
    .describe("Whether a written file is in the run's diff; null if there is no complete diff, or nothing was written"),
});
export type AnalysisFile = z.infer<typeof AnalysisFile>;

/** Findings about a run from its log, by rules, without a model: the same entries give the same result. */
export const Analysis = z.object({
  agent_run_id: Id.describe("The run"),
  entries: Count.describe("Entries the run had at the time of the request"),
  analysed: Count.describe("Entries this result is based on: 1 … analysed"),
  partial: z.boolean().describe("The result is not final: the run is live, or its entries are still being read"),
  version: z.int().describe("Version of the rules"),
  totals: AnalysisTotals.describe("Counts over the entries read"),
  counts: z
    .object({
      phases: Count.describe("Items of `phases`"),
      test_runs: Count.describe("Items of `tests.runs`"),
      regressed: Count.describe("Items of `tests.regressed`"),
      expectation_changes: Count.describe("Items of `tests.expectation_changes`"),
      errors: Count.describe("Items of `errors`"),
      repeats: Count.describe("Items of `repeats`"),
      waste: Count.describe("Items of `waste.items`"),
      tools: Count.describe("Items of `tools`"),
      files: Count.describe("Items of `files`"),
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
        seq: Seq.describe("The call"),
        tool: ShortText.describe("The tool that was called"),
        call: ShortText.describe("The command, path or other first words of the call"),
        ms: Count.describe("How long it took, in milliseconds"),
      }),
    )
    .max(10)
    .describe("The ten slowest calls"),
  tools: list(AnalysisTool).describe("Most calls first"),
  files: list(AnalysisFile).describe("Written files first, then the most read"),
  limits: z.array(ShortText).max(20).describe("What the log does not show, one sentence each"),
});
export type Analysis = z.infer<typeof Analysis>;

/** Detail of the 400 for a run without entries, in the reference service's words. */
export const noLogsForAnalysis = "No logs available for analysis";

export const getAnalysis = defineOperation({
  id: "getAnalysis",
  tag: "Agent runs",
  summary: "See what a run's log says about it",
  description:
    "Found by rules, without a model: how the run ended and why, tests before and after, related errors, repeated calls, wasted output, slow calls, files. Every finding names the entries that prove it. The same entries always give the same result. While a long log is being read, and while the run is live, `partial` is true and `analysed` says how many entries the result is based on: ask again later. A result that does not cover all entries of the run has no `ETag`. A run without entries gives 400.",
  scope: "runs:read",
  stability: "alpha",
  params: OrgParams.extend({ agent_run_id: Id }),
  result: Analysis,
});
