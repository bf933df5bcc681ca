import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { describeChanges } from "#lib/agents/steps/git-facts.ts";
import { inlineCode, type PlannedStep } from "#lib/agents/steps/planned-step.ts";
import { runStep, type TurnContext } from "#lib/agents/steps/run-step.ts";
import type { StepsTurnEnd } from "#lib/agents/steps/run-turn.ts";
import type { TurnRecord } from "#lib/agents/steps/session-state.ts";
import { planShellStep } from "#lib/agents/steps/shell-step.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import { cutText } from "#lib/cut-text.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import { readSigns } from "#lib/setup/read-signs.ts";
import { reportSetup } from "./setup-report.ts";
import { withTimeLimit } from "./timed-step.ts";
import { betterSource, inTrialOrder, placeOf, type Trial } from "./trial.ts";

/** How long one command of a kind may take, in milliseconds. */
export type TrialLimits = Record<SetupKind, number>;

const tenMinutes = 600_000;
const usualLimits: TrialLimits = {
  install: tenMinutes,
  build: tenMinutes,
  test: tenMinutes,
  lint: tenMinutes,
  maintenance: tenMinutes,
};
const trialsMax = 20;
const tailLines = 40;

/**
 * Reads the signs of the checkout's HEAD, tries the commands that they suggest one after the other, and reports which worked. A
 * command that fails is a finding, not a failure of the turn.
 */
export async function runSetupTurn(
  _prompt: ContentBlock[],
  record: TurnRecord,
  context: TurnContext,
  limits: TrialLimits = usualLimits,
): Promise<StepsTurnEnd> {
  record.opening =
    "I am the built-in setup detection and have no language model. I read which commands the files of this repository name, and try them.";
  await say("agent_thought_chunk", `${record.opening}\n\n`, context);
  const place = { gitDir: join(context.cwd, ".git"), revision: "HEAD", env: context.env, signal: context.signal };
  const signs = await readSigns(place).catch((error: unknown) => {
    if (context.signal.aborted) return null;
    throw error;
  });
  if (context.signal.aborted) return { kind: "cancelled" };
  const trials: Trial[] = [];
  const commands = inTrialOrder(signs?.commands ?? []);
  for (const [at, found] of commands.entries()) {
    await showPlan(commands, trials, record, context);
    const skipped = reasonToSkip(found, trials);
    const trial =
      skipped === null ? await tryCommand(found, limits[found.kind], record, context) : notTried(found, skipped);
    if (trial === "cancelled" || context.signal.aborted) return { kind: "cancelled" };
    trials[at] = trial;
  }
  if (commands.length > 0) await showPlan(commands, trials, record, context);
  const changes = await describeChanges(context);
  if (context.signal.aborted) return { kind: "cancelled" };
  record.message = reportSetup({
    commit: signs?.commit ?? null,
    inputs: signs?.inputs ?? [],
    trials,
    changes,
    leftOut: signs?.leftOut ?? [],
  });
  await context.save();
  await say("agent_message_chunk", record.message, context);
  return { kind: "ended" };
}

function reasonToSkip(found: FoundCommand, trials: Trial[]): string | null {
  const better = betterSource(found, trials);
  if (better !== null) return `the ${found.kind} command from the ${better} worked already`;
  const tried = trials.filter(({ outcome }) => outcome !== "not_tried").length;
  return tried >= trialsMax ? `at most ${trialsMax} commands are tried` : null;
}

async function tryCommand(
  found: FoundCommand,
  limitMs: number,
  record: TurnRecord,
  context: TurnContext,
): Promise<Trial | "cancelled"> {
  const step = planTrial(found, limitMs);
  await say("agent_thought_chunk", step.thought, context);
  const end = await runStep(step, { reads: false }, record.steps, context);
  switch (end.kind) {
    case "cancelled":
      return "cancelled";
    case "rejected":
      return notTried(found, end.reason);
    default: {
      const { output, failure } = end.result;
      return {
        found,
        outcome: end.kind === "succeeded" ? "worked" : "failed",
        exitCode: output.exit_code ?? null,
        durationMs: output.duration_ms,
        note: failure === null ? null : noteOf(failure, output.exit_code ?? null),
        tail: failure === null ? "" : lastLines(output.output),
      };
    }
  }
}

function planTrial({ kind, command, reason, evidence, confidence }: FoundCommand, limitMs: number): PlannedStep {
  const signs = evidence.map(placeOf).join(", ");
  const step = planShellStep(
    command,
    `Try ${kind}: ${cutText(command, 80, "…")}`,
    `${reason} (${signs}; confidence ${confidence})`,
  );
  const rawInput = { ...step.rawInput, description: `${kind}, from ${signs}` };
  return withTimeLimit({ ...step, rawInput }, limitMs);
}

function noteOf(failure: string, exitCode: number | null): string {
  return exitCode === null ? failure : `exit code ${exitCode}`;
}

function notTried(found: FoundCommand, note: string): Trial {
  return { found, outcome: "not_tried", exitCode: null, durationMs: null, note, tail: "" };
}

function lastLines(output: string): string {
  const lines = output.trimEnd().split("\n").slice(-tailLines);
  return lines.map((line) => cutText(line, 500, "…")).join("\n");
}

async function showPlan(commands: FoundCommand[], trials: Trial[], record: TurnRecord, context: TurnContext) {
  const entries = commands.map((found, at) => {
    const trial = trials[at];
    const status = trial !== undefined ? "completed" : at === trials.length ? "in_progress" : "pending";
    const how =
      trial === undefined || trial.outcome === "worked"
        ? ""
        : trial.outcome === "failed"
          ? " (failed)"
          : " (not tried)";
    return { content: `${found.kind}: ${inlineCode(found.command)}${how}`, priority: "medium", status } as const;
  });
  record.plan = entries.map(({ content, status }) => ({ content, status }));
  await context.update({ sessionUpdate: "plan", entries });
}

async function say(kind: "agent_thought_chunk" | "agent_message_chunk", text: string, context: TurnContext) {
  await context.update({ sessionUpdate: kind, messageId: randomUUID(), content: { type: "text", text } });
}
