import type { ReadPrompt } from "#lib/entry/prompt-steps.ts";
import { inlineCode, type PlannedStep, type StepResult } from "./planned-step.ts";
import type { Survey } from "./survey.ts";

/** How a step ended; `reason` completes "Step 2 of 3 …" for a person's refusal or a mode that forbids it. */
export type StepEnd =
  | { kind: "succeeded"; result: StepResult }
  | { kind: "failed"; result: StepResult }
  | { kind: "cancelled" }
  | { kind: "rejected"; reason: string };

const blocksToWrite =
  "Steps are fenced code blocks: `sh` or `bash` for commands, `diff` for a patch, any language with `path=…` for a file.";

/** The thought before the first step: that there is no model, and what happens instead. */
export function openingThought({ steps, otherLanguages }: ReadPrompt, unreadBlocks: number): string {
  const explicitSteps = steps.length;
  const found =
    explicitSteps === 0
      ? "The prompt contains no steps, so I will survey the repository and run its tests."
      : explicitSteps === 1
        ? "The prompt contains 1 step. I will run it."
        : `The prompt contains ${explicitSteps} steps. I will run them in order and stop at the first that fails.`;
  const unread =
    unreadBlocks === 0
      ? ""
      : ` I read text only and left out ${unreadBlocks} other part${unreadBlocks === 1 ? "" : "s"} of the prompt.`;
  return `I am the built-in steps runner and have no language model. ${found}${otherBlocks("I will not run", otherLanguages)}${unread}`;
}

/** Says which blocks are not run, and nothing if all are. `begins`: "I will not run", "I did not run". */
function otherBlocks(begins: string, languages: readonly string[]): string {
  if (languages.length === 0) return "";
  const names = [...new Set(languages)].map((name) => (name === "" ? "no language" : inlineCode(name)));
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  const blocks =
    languages.length === 1 ? "1 code block because of its" : `${languages.length} code blocks because of their`;
  return ` ${begins} ${blocks} language: ${names.slice(0, 5).join(", ")}${more}.`;
}

/** The plan's line for a step, with its end if it did not simply succeed. */
export function planLine(step: PlannedStep, end: StepEnd | undefined): string {
  if (end === undefined || end.kind === "succeeded") return step.title;
  return `${step.title} (${endInWords(end)})`;
}

/** The closing message of a turn of explicit steps. `changes` is the paragraph on the work tree, null if git cannot tell. */
export function reportExplicit(steps: PlannedStep[], ends: StepEnd[], changes: string | null): string {
  const last = ends.at(-1);
  const total = steps.length;
  const all = total === 1 ? "The step succeeded." : `All ${total} steps succeeded.`;
  const headline =
    last?.kind === "failed"
      ? failureHeadline(ends.length, total, last.result)
      : last?.kind === "rejected"
        ? `Step ${ends.length} of ${total} ${last.reason}`
        : all;
  return [headline, listSteps(steps, ends), changes].filter((part) => part !== null).join("\n\n");
}

/** "Step 2 of 3 failed: `npm test` exited with 1." */
export function failureHeadline(step: number, steps: number, result: StepResult): string {
  return `Step ${step} of ${steps} failed: ${result.failure ?? "no reason is known"}`;
}

/** The closing message of a survey: the result of the tests, and what this agent cannot do. */
export function reportSurvey(
  survey: Survey,
  ends: StepEnd[],
  { changes, otherLanguages }: { changes: string | null; otherLanguages: readonly string[] },
): string {
  const last = ends.at(-1);
  const stopped = last?.kind === "rejected" ? `Step ${ends.length} of ${survey.steps.length} ${last.reason}` : null;
  return [
    `I have no language model, so I did not act on the words of the prompt; I surveyed the repository instead.${otherBlocks("I did not run", otherLanguages)} ${blocksToWrite}`,
    stopped ?? testsInWords(survey, ends),
    listSteps(survey.steps, ends),
    changes,
  ]
    .filter((part) => part !== null)
    .join("\n\n");
}

function testsInWords({ steps, tests, testsNote }: Survey, ends: StepEnd[]): string | null {
  const end = tests === null ? undefined : ends[steps.indexOf(tests)];
  if (end?.kind === "succeeded") return `The tests pass: ${inlineCode(end.result.command)} exited with 0.`;
  if (end?.kind !== "failed") return testsNote;
  const { exit_code: code, signal } = end.result.output;
  // The shell's own codes for a program that is missing or cannot be run: nothing was tested then.
  if (code === 126 || code === 127)
    return `The tests could not be run: ${inlineCode(end.result.command)} exited with ${code}.`;
  const how = code !== null ? `exited with ${code}` : signal ? `was ended by ${signal}` : "could not be started";
  return `The tests do not pass: ${inlineCode(end.result.command)} ${how}. Its output is above.`;
}

function listSteps(steps: PlannedStep[], ends: StepEnd[]): string {
  return steps
    .map((step, index) => {
      const end = ends[index];
      return `${index + 1}. ${inlineCode(step.title)}: ${end === undefined ? "not run" : endInWords(end)}`;
    })
    .join("\n");
}

function endInWords(end: StepEnd): string {
  switch (end.kind) {
    case "succeeded":
      return "done";
    case "failed":
      return typeof end.result.output.exit_code === "number" ? `failed, exit ${end.result.output.exit_code}` : "failed";
    case "cancelled":
      return "cancelled";
    case "rejected":
      return "not run, rejected";
  }
}
