import { z } from "zod";
import { analysisCausesMax, analysisItemsMax, analysisTextMax } from "./analysis-bounds.ts";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";

const Seq = z.int().min(1);
const Count = z.int().min(0);
const Seqs = z.array(Seq).max(analysisItemsMax);
const ShortText = z.string().max(analysisTextMax);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(analysisItemsMax);

/** A step that proves a finding. */
export const AnalysisEvidence = z.object({
  seq: Seq.describe("The entry that proves it"),
  quote: ShortText.describe("Words that stand in this entry exactly so; never empty"),
});
export type AnalysisEvidence = z.infer<typeof AnalysisEvidence>;

/** Raw counts over the entries that were read. Notices of the service (tool_name `errand`) are left out of calls. */
export const AnalysisTotals = z.object({
  calls: Count.describe("Entries of type ACTION"),
  flagged: Count.describe(
    "Calls whose result carries a mark of failure of its own: is_error, isError, success: false, error, or a status that says failed",
  ),
  failed: Count.describe("Calls with outcome failed: the same that `errors=true` finds among calls"),
  refused: Count.describe("Calls that a person refused"),
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
    .describe("Who ended it: limit is a limit of time, turns or tokens; null while it works"),
  verdict: AnalysisVerdict.nullable().describe(
    "answered: it has a final answer. gave_up: it says that it did not manage. stopped: a person or a limit ended it. broken: an error, or a log that breaks off. Null while it works",
  ),
  seq: Seq.nullable().describe("The entry that shows it"),
});
export type AnalysisOutcome = z.infer<typeof AnalysisOutcome>;

export const AnalysisPhase = z.object({
  kind: z
    .enum(["orient", "edit", "verify", "repair", "wait_person", "idle", "wrap_up"])
    .describe("Kind of work that the phase was spent on"),
  from: Seq.describe("Its first entry"),
  to: Seq.describe("Its last entry"),
  ms: Count.describe("Time between the end of the phase before and its own end"),
  calls: Count.describe("Calls in it"),
  failed: Count.describe("Failed calls"),
  errors: Count.describe("Failed calls and entries of type ERROR"),
  tokens: Count.nullable().describe("Tokens that the agent reported with these steps; null where it reports none"),
  cost_usd: z
    .number()
    .nullable()
    .describe("Cost in US dollars that the agent reported with these steps; null where it reports none"),
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

/** A candidate for why a run went wrong, in the order of the rules. */
export const AnalysisCause = z.object({
  rule: z.enum(causeRules).describe("The rule that found it"),
  title: ShortText.describe("One line for a reader"),
  confidence: z.enum(["certain", "likely", "possible"]).describe("Certainty of the rule"),
  evidence: list(AnalysisEvidence).min(1).describe("Steps that prove it, the first of them"),
  count: Count.describe("How many steps prove it; evidence has the first of them"),
  first_seq: Seq.describe("The first step that proves it"),
  why: z.string().max(1000).describe("What follows from the evidence, in plain words"),
});
export type AnalysisCause = z.infer<typeof AnalysisCause>;

/** pass and fail are verdicts on the code; error: the check itself could not run; unknown: the log does not say. */
export const TestVerdict = z.enum(["pass", "fail", "error", "unknown"]);
export type TestVerdict = z.infer<typeof TestVerdict>;

export const TestKind = z.enum(["test", "typecheck", "lint", "build", "script"]);
export type TestKind = z.infer<typeof TestKind>;

/** One run of tests, a type check, a linter or a build. A script of several commands has an item for each that is a check. */
export const AnalysisTestRun = z.object({
  seq: Seq.describe("The call that started it"),
  read_seq: Seq.describe("The entry that holds its end: a later one where output was waited for"),
  command: ShortText.describe("The command without pipe filters"),
  kind: TestKind.describe("Kind of check"),
  framework: z.string().max(40).nullable().describe("jest, pytest, go, tsc …; null where it is not known"),
  passed: Count.nullable().describe("Passed tests, where the output counts them"),
  failed: Count.nullable().describe("Failed tests or errors, where the output counts them"),
  skipped: Count.nullable().describe("Skipped tests, where the output counts them"),
  verdict: TestVerdict.describe(
    "pass and fail are verdicts on the code; error: the check could not run; unknown: the log does not say",
  ),
  exit: z
    .enum(["seen", "hidden"])
    .describe(
      "seen: the call's exit code is the checker's own. hidden: a pipe, `;` or `||` stands before it, or none was reported",
    ),
  flagged: z.boolean().describe("The call's outcome is failed, so that a red run shows as an error"),
  quote: ShortText.nullable().describe("The words of entry read_seq that tell the verdict; null where there are none"),
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

/** A check that was green and is red, or red from then on. */
export const AnalysisRegression = z.object({
  command: ShortText.describe("The check's command"),
  test: ShortText.nullable().describe("The test's name, where the output names it"),
  green_seq: Seq.describe("The last green run before"),
  red_seq: Seq.describe("The first red run after it"),
  edits: Seqs.describe("Changes to files between the two"),
  resolved_seq: Seq.nullable().describe("The first green run after that; null where it stayed red"),
});
export type AnalysisRegression = z.infer<typeof AnalysisRegression>;

/** A file of tests that was edited between a red and a green run of the same check: the expectation may have been changed. */
export const ExpectationChange = z.object({
  red_seq: Seq.describe("The failing run of the check before"),
  green_seq: Seq.describe("The passing run of it after"),
  seqs: Seqs.min(1).describe("The edits between the two"),
  path: ShortText.describe("The file of tests"),
});
export type ExpectationChange = z.infer<typeof ExpectationChange>;

export const AnalysisTests = z.object({
  runs: list(AnalysisTestRun).describe("Every run of a check, in order"),
  first: TestMark.nullable().describe("The first run of tests with a verdict of pass or fail"),
  last: TestMark.nullable().describe("The last one"),
  before: TestMark.nullable().describe("The last one before the first change to a file"),
  after: TestMark.nullable().describe("The last one after the last change to a file"),
  regressed: list(AnalysisRegression).describe("Checks that were green and are red, or were red from then on"),
  expectation_changes: list(ExpectationChange).describe(
    "Files of tests that were edited between a red and a green run of the same check",
  ),
});
export type AnalysisTests = z.infer<typeof AnalysisTests>;

/** Errors that say the same but for numbers, paths and ids. */
export const AnalysisErrorCluster = z.object({
  signature: ShortText.describe("The message with what varies taken out"),
  count: Count.describe("How many entries say it"),
  seqs: Seqs.describe("The first of these entries"),
  sample: ShortText.describe("The message as the first of the entries has it"),
  tool: ShortText.nullable().describe("The tool that failed; null for entries of type ERROR"),
  resolved_at: Seq.nullable().describe("The first success of the same call after the last of them"),
});
export type AnalysisErrorCluster = z.infer<typeof AnalysisErrorCluster>;

/**
 * The same call again. loop: three times and more with the same output and nothing changed between. polling: waiting for something
 * that works. rerun_after_edit: something was changed between. flaky: the same check, nothing changed, another verdict.
 */
export const AnalysisRepeat = z.object({
  kind: z
    .enum(["loop", "polling", "rerun_after_edit", "flaky"])
    .describe(
      "Why it was called again: loop is the same output each time; polling waits for something; rerun_after_edit follows a change; flaky gave another verdict without one",
    ),
  tool: ShortText.describe("The tool that was called"),
  call: ShortText.describe("The command, path or other first words of the call, as its first entry has them"),
  count: Count.describe("How many times it was called"),
  seqs: Seqs.describe("The first of these calls"),
  wasted_bytes: Count.describe("Output that said nothing new; 0 where each call had a reason"),
});
export type AnalysisRepeat = z.infer<typeof AnalysisRepeat>;

export const AnalysisWaste = z.object({
  bytes: Count.describe("Bytes of output that brought nothing"),
  share: z.number().min(0).max(1).describe("Of all bytes of output"),
  items: list(
    z.object({
      rule: z
        .enum(["repeated_read", "oversized_output", "failed_retry", "unused_output"])
        .describe("The rule that found it"),
      seqs: Seqs.describe("The first of the calls"),
      count: Count.describe("Number of calls"),
      bytes: Count.describe("Bytes of their output that brought nothing"),
    }),
  ).describe("Findings, most bytes first"),
});
export type AnalysisWaste = z.infer<typeof AnalysisWaste>;

export const AnalysisTool = z.object({
  name: ShortText.describe("The tool's name"),
  calls: Count.describe("How often it was called"),
  errors: Count.describe("How many of these calls failed"),
  p50_ms: Count.nullable().describe("Half of its calls took at most this long; null where no duration was reported"),
  p95_ms: Count.nullable().describe(
    "95 in 100 of its calls took at most this long; null where no duration was reported",
  ),
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
    .describe("A written file is in the run's diff; null where there is no complete diff, or nothing was written"),
});
export type AnalysisFile = z.infer<typeof AnalysisFile>;

/** What a run's log says about the run, found by rules, without a model: the same entries give the same answer. */
export const Analysis = z.object({
  agent_run_id: Id.describe("The run"),
  entries: Count.describe("Entries of the run when it was asked for"),
  analysed: Count.describe("Entries that this answer rests on: 1 … analysed"),
  partial: z.boolean().describe("More is to come: the run works, or its entries are still being read"),
  version: z.int().describe("Version of the rules"),
  totals: AnalysisTotals.describe("Counts over the entries that were read"),
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
    .describe(`How many items each list has in all; a list holds at most ${analysisItemsMax}`),
  analysed_by: list(Id).describe("Runs that analyze this one, as its AGENT_RUN_LINK entries tell, newest first"),
  outcome: AnalysisOutcome.describe("End of the run"),
  phases: list(AnalysisPhase).describe(
    "In order; where there are more, the neighbours that differ least in time are joined",
  ),
  causes: z
    .array(AnalysisCause)
    .max(analysisCausesMax)
    .describe("Ranked, the first the most likely; empty where nothing went wrong"),
  tests: AnalysisTests.describe("Tests, type checks, linters and builds"),
  errors: list(AnalysisErrorCluster).describe("Most frequent first"),
  repeats: list(AnalysisRepeat).describe("Most wasted bytes first"),
  waste: AnalysisWaste.describe("Output that brought nothing"),
  slowest: z
    .array(
      z.object({
        seq: Seq.describe("The call"),
        tool: ShortText.describe("The tool that was called"),
        ms: Count.describe("How long it took, in milliseconds"),
      }),
    )
    .max(10)
    .describe("The ten slowest calls"),
  tools: list(AnalysisTool).describe("Most calls first"),
  files: list(AnalysisFile).describe("Written files first, then those that were read most"),
  limits: z.array(ShortText).max(20).describe("What the log does not show, one sentence each"),
});
export type Analysis = z.infer<typeof Analysis>;

/** Detail of the 400 for a run without entries, in the reference service's words. */
export const noLogsForAnalysis = "No logs available for analysis";

export const getAnalysis = defineOperation({
  id: "getAnalysis",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/analysis`,
  tag: "Agent runs",
  summary: "See what a run's log says about it",
  description:
    "Found by rules, without a model: how the run ended and why, tests before and after, errors that belong together, repeated calls, wasted output, slow calls, files. Every finding names the entries that prove it. The same entries give the same answer. While a long log is being read, and while the run works, `partial` is true and `analysed` says how many entries the answer rests on: ask again. A run without entries is 400.",
  scope: "runs:read",
  stability: "alpha",
  params: OrgParams.extend({ agent_run_id: Id }),
  result: Analysis,
});
