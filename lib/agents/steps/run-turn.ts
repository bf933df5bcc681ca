import { randomUUID } from "node:crypto";
import { type ContentBlock, type PlanEntry, RequestError } from "@agentclientprotocol/sdk";
import { type ReadPrompt, readPrompt } from "#lib/entry/prompt-steps.ts";
import { planExplicitSteps } from "./explicit-steps.ts";
import { describeChanges } from "./git-facts.ts";
import type { PlannedStep, StepResult } from "./planned-step.ts";
import { LeftProcesses } from "./process-group.ts";
import { runStep, type TurnContext } from "./run-step.ts";
import type { TurnRecord } from "./session-state.ts";
import { planSurvey } from "./survey.ts";
import { openingThought, planLine, reportExplicit, reportSurvey, type StepEnd } from "./turn-report.ts";

/** How a turn ended; `step` and `steps` count from 1. A rejected step and a failing survey are an end, not a failure. */
export type StepsTurnEnd =
  | { kind: "ended" }
  | { kind: "cancelled" }
  | { kind: "failed"; step: number; steps: number; result: StepResult };

// Each step shows the whole plan again, so what a turn sends grows with the square of its steps.
const stepsMax = 500;

/** The text of a prompt, its text blocks joined by an empty line. */
export function promptText(prompt: ContentBlock[]): string {
  return prompt.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n\n");
}

/**
 * Runs a prompt: its steps in order up to the first that fails, or a survey if it has none. What they leave running in the
 * background ends with them. Throws a RequestError, before anything
 * is run, if the prompt has more than 500 steps.
 */
export async function runTurn(prompt: ContentBlock[], record: TurnRecord, context: TurnContext): Promise<StepsTurnEnd> {
  // Each block is parsed separately: an unclosed fence in one does not swallow the next.
  const read = readBlocks(prompt);
  const found = read.steps;
  if (found.length > stepsMax) {
    throw RequestError.invalidParams(
      { steps: found.length },
      `the prompt contains ${found.length} steps; at most ${stepsMax} are run`,
    );
  }
  record.opening = openingThought(read, prompt.filter((block) => block.type !== "text").length);
  await think(`${record.opening}\n\n`, context);
  const survey = found.length === 0 ? await planSurvey(context, context.mode === "read-only") : null;
  const steps = survey?.steps ?? planExplicitSteps(found);
  const left = new LeftProcesses();
  const running = runSteps(steps, survey !== null, record, { ...context, left });
  const ends = await running.finally(() => left.end(context.signal));

  const last = ends.at(-1);
  if (context.signal.aborted || last?.kind === "cancelled") return { kind: "cancelled" };
  const changes = await describeChanges(context);
  if (context.signal.aborted) return { kind: "cancelled" };
  record.message = survey
    ? reportSurvey(survey, ends, { changes, otherLanguages: read.otherLanguages })
    : reportExplicit(steps, ends, changes);
  await context.save();
  const content = { type: "text", text: record.message } as const;
  await context.update({ sessionUpdate: "agent_message_chunk", messageId: randomUUID(), content });
  if (survey === null && last?.kind === "failed") {
    return { kind: "failed", step: ends.length, steps: steps.length, result: last.result };
  }
  return { kind: "ended" };
}

function readBlocks(prompt: ContentBlock[]): ReadPrompt {
  const read = prompt.flatMap((block) => (block.type === "text" ? readPrompt(block.text) : []));
  return {
    steps: read.flatMap(({ steps }) => steps),
    otherLanguages: read.flatMap(({ otherLanguages }) => otherLanguages),
  };
}

/**
 * The turn's steps. Until the list is closed, messages may add steps, after the running one and those of earlier messages.
 */
class OpenSteps {
  readonly steps: PlannedStep[];
  readonly #record: TurnRecord;
  #place = 0;
  #isOpen = true;

  constructor(steps: PlannedStep[], record: TurnRecord) {
    this.steps = steps;
    this.#record = record;
  }

  begin(index: number): void {
    this.#place = Math.max(this.#place, index + 1);
  }

  close(): void {
    this.#isOpen = false;
  }

  take = (message: ContentBlock[]): boolean => {
    const found = readBlocks(message).steps;
    if (!this.#isOpen || found.length === 0 || this.steps.length + found.length > stepsMax) return false;
    this.steps.splice(this.#place, 0, ...planExplicitSteps(found));
    this.#place += found.length;
    this.#record.prompt += `\n\n${promptText(message)}`;
    return true;
  };
}

/** Runs steps in order. A failing step ends an explicit turn but not a survey; a rejected or cancelled one ends both. */
async function runSteps(steps: PlannedStep[], surveying: boolean, record: TurnRecord, context: TurnContext) {
  const ends: StepEnd[] = [];
  const open = new OpenSteps(steps, record);
  if (!surveying) context.onTake?.(open.take);
  for (const [index, step] of steps.entries()) {
    if (context.signal.aborted) break;
    open.begin(index);
    await showPlan(steps, ends, true, record, context);
    await think(step.thought, context);
    const end = await runStep(step, { reads: surveying }, record.steps, context);
    ends.push(end);
    if (end.kind === "cancelled" || end.kind === "rejected" || (end.kind === "failed" && !surveying)) break;
  }
  open.close();
  if (context.signal.aborted && ends.at(-1)?.kind !== "cancelled") return ends;
  await showPlan(steps, ends, false, record, context);
  return ends;
}

/**
 * Shows the plan: ended steps are completed (with the reason if they failed), the next step is in progress if `running`, the rest
 * is pending.
 */
async function showPlan(
  steps: PlannedStep[],
  ends: StepEnd[],
  running: boolean,
  record: TurnRecord,
  context: TurnContext,
) {
  const entries = steps.map((step, index): PlanEntry => {
    const status = index < ends.length ? "completed" : running && index === ends.length ? "in_progress" : "pending";
    return { content: planLine(step, ends[index]), priority: "medium", status };
  });
  record.plan = entries.map(({ content, status }) => ({ content, status }));
  await context.update({ sessionUpdate: "plan", entries });
}

async function think(text: string, context: TurnContext): Promise<void> {
  await context.update({
    sessionUpdate: "agent_thought_chunk",
    messageId: randomUUID(),
    content: { type: "text", text },
  });
}
