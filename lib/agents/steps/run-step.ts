import { randomUUID } from "node:crypto";
import type {
  ContentBlock,
  PermissionOption,
  RequestPermissionResponse,
  SessionUpdate,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { unlessAborted } from "#lib/unless-aborted.ts";
import { inlineCode, type PlannedStep, type StepControl, type StepResult, textContent } from "./planned-step.ts";
import type { LeftProcesses } from "./process-group.ts";
import type { SessionMode, StepRecord } from "./session-state.ts";
import type { StepEnd } from "./turn-report.ts";

/** The parts of session and client that a turn needs. `permissions.all` is set once a person allows all further steps. */
export type TurnContext = {
  cwd: string;
  env: NodeJS.Dict<string>;
  mode: SessionMode;
  permissions: { all: boolean };
  signal: AbortSignal;
  update: (update: SessionUpdate) => Promise<void>;
  requestPermission: (toolCall: ToolCallUpdate, options: PermissionOption[]) => Promise<RequestPermissionResponse>;
  /** Keeps the session's state on disk as it is now. */
  save: () => Promise<void>;
  /** Called with the function that adds messages to the turn while it is at work. */
  onTake?: (take: TakeMessage) => void;
  /** Takes what steps leave running in the background. */
  left?: LeftProcesses;
};

/** Adds a message's steps to the current turn, after the running step; false if the message has none, or the turn is ending. */
export type TakeMessage = (message: ContentBlock[]) => boolean;

/** Whether a step may run in the read-only mode: only the survey's own reading commands may. */
export type StepRights = { reads: boolean };

const permissionOptions: PermissionOption[] = [
  { optionId: "allow_once", name: "Run this step", kind: "allow_once" },
  { optionId: "allow_always", name: "Run this and all further steps of the session", kind: "allow_always" },
  { optionId: "reject_once", name: "Do not run it and stop", kind: "reject_once" },
];
const keptOutputCharactersMax = 8 * 1024;
const stopsHere = "The turn ends here.";

/**
 * Runs one step as one tool call: announced, allowed if the mode asks, run with its output streamed, closed as completed or
 * failed. `records` gets the step's record before it starts, so that a death in the middle leaves a trace.
 */
export async function runStep(
  step: PlannedStep,
  rights: StepRights,
  records: StepRecord[],
  context: TurnContext,
): Promise<StepEnd> {
  const toolCallId = `${step.toolName}-${randomUUID().slice(0, 8)}`;
  const { title, thought, toolName, rawInput } = step;
  const toolKind = step.toolKind === "execute" ? "execute" : "edit";
  const record: StepRecord = {
    toolCallId,
    title,
    thought,
    toolName,
    toolKind,
    rawInput,
    status: "running",
    note: null,
    output: null,
  };
  records.push(record);
  await context.save();
  const call = { toolCallId, title, name: toolName, kind: step.toolKind, rawInput, status: "pending" } as const;
  await context.update({ sessionUpdate: "tool_call", ...call });

  const close = async (status: "completed" | "failed", more: Partial<ToolCallUpdate>, note: string | null) => {
    await context.update({ sessionUpdate: "tool_call_update", toolCallId, status, ...more });
    Object.assign(record, { status, note, output: more.rawOutput === undefined ? null : keptOutput(more.rawOutput) });
    await context.save();
  };
  const closeWithNote = (note: string, rawOutput?: object) =>
    close("failed", { content: [textContent(note)], ...(rawOutput && { rawOutput }) }, note);

  const denial = await denialOf(call, rights, context);
  if (context.signal.aborted || denial === "cancelled") {
    await closeWithNote("cancelled");
    return { kind: "cancelled" };
  }
  if (denial !== null) {
    await closeWithNote(denial.note);
    return { kind: "rejected", reason: denial.reason };
  }
  await context.update({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress" });
  const progress = progressOf(toolCallId, context);
  const control: StepControl = {
    cwd: context.cwd,
    env: context.env,
    signal: context.signal,
    onProgress: progress.show,
    left: context.left,
  };
  const result = await step.run(control).catch((error: unknown) => notRun(step, error, context.signal.aborted));
  await progress.end();
  if (result.cancelled) {
    await closeWithNote("cancelled", result.output);
    return { kind: "cancelled" };
  }
  const { content, locations, output: rawOutput, failure } = result;
  await close(failure === null ? "completed" : "failed", { content, locations, rawOutput }, null);
  return { kind: failure === null ? "succeeded" : "failed", result };
}

/** The end of a step that threw, for example because the system refused a path, or the disk a file. */
function notRun({ title }: PlannedStep, error: unknown, cancelled: boolean): StepResult {
  const reason = error instanceof Error ? error.message : String(error);
  const output = `Not run: ${reason}.\n`;
  return {
    failure: `${inlineCode(title)} could not be run: ${reason}`,
    cancelled,
    command: title,
    output: { output, truncated: false, duration_ms: 0 },
    content: [textContent(output)],
    locations: [],
  };
}

type Denial = { note: string; reason: string };

/** Why a step may not run; null if it may. ACP also answers the open questions of a cancelled turn with this. */
async function denialOf(
  call: ToolCallUpdate,
  rights: StepRights,
  context: TurnContext,
): Promise<Denial | "cancelled" | null> {
  if (context.mode === "read-only" && !rights.reads) {
    const why = "the session is in the read-only mode, and this step could write";
    return { note: `Not run: ${why}.`, reason: `was rejected: ${why}. ${stopsHere}` };
  }
  if (context.mode !== "ask" || context.permissions.all || context.signal.aborted) return null;
  let answer: RequestPermissionResponse | null;
  try {
    answer = await unlessAborted(context.requestPermission(call, permissionOptions), context.signal);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      note: `Not run: asking for permission failed: ${why}`,
      reason: `was not run: asking for permission failed. ${stopsHere}`,
    };
  }
  if (answer === null || answer.outcome.outcome === "cancelled") return "cancelled";
  const { optionId } = answer.outcome;
  if (optionId === "allow_always") context.permissions.all = true;
  if (optionId === "allow_once" || optionId === "allow_always") return null;
  return { note: "Not run: permission was rejected.", reason: `was rejected by the person asked. ${stopsHere}` };
}

/** Sends the newest text, one update at a time: while one is being sent, each newer text replaces the waiting one. */
function progressOf(toolCallId: string, context: TurnContext) {
  let next: string | null = null;
  let sending: Promise<void> | null = null;
  const send = async () => {
    for (let text = next; text !== null; text = next) {
      next = null;
      const content = [textContent(text)];
      await context.update({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", content });
    }
  };
  return {
    show(text: string) {
      next = text;
      // A lost client ends the whole process; the update that failed with it needs no second report.
      sending ??= send()
        .catch(() => {})
        .finally(() => {
          sending = null;
        });
    },
    async end() {
      next = null;
      await sending;
    },
  };
}

function keptOutput(rawOutput: unknown): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...(typeof rawOutput === "object" ? rawOutput : null) };
  if (typeof kept.output === "string" && kept.output.length > keptOutputCharactersMax) {
    return { ...kept, output: `…${kept.output.slice(-keptOutputCharactersMax)}`, truncated: true };
  }
  return kept;
}
