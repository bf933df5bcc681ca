import { z } from "zod";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { type NewEntry, toolCallIdMax } from "#lib/contract/logs/entry.ts";
import { outcomeOf } from "#lib/entry/outcome.ts";
import { withoutNumbers } from "#lib/entry/read-text.ts";
import { withoutSequences } from "#lib/entry/terminal-sequences.ts";
import { cutMiddle } from "./bounded-text.ts";
import { type KeptImage, lenient } from "./message.ts";
import { imagesIn } from "./spoken.ts";
import { keptCharactersMax, storableJson, storableText, type Truncated } from "./storable.ts";
import { answerOf, type FileDiff, type PermissionAnswer, type ToolCall, toolInput, toolName } from "./tool-call.ts";

/** Why a call is closed: the agent reported its end, sent no more updates after a refusal, or the turn ended. */
export type Closing = "reported" | "rejected" | "cancelled" | "interrupted" | "unfinished";

/**
 * The ACTION of a call. `tool_output` is {status, exit_code?, signal?, output?, result?, content? (images), output_reported?, content_unread?, diffs?,
 * permission?, request?, duration_ms, truncated?}; `request` is what was asked for with the permission and is not told elsewhere, and
 * how that was answered if `permission` is the answer to a further request; `status` is completed, failed, rejected (permission was
 * refused), cancelled, interrupted (the agent died) or unfinished (the turn ended and the agent never reported the call's outcome).
 * A call that its agent reports as completed is, whatever was answered.
 */
export function actionEntry(call: ToolCall, closing: Closing, now: Date): NewEntry {
  const found = outputOf(call);
  const input = storableJson(toolInput(call));
  const status = statusOf(call, closing, found);
  const permission = answerOf(call);
  const output = storableJson({
    status,
    ...(found.exitCode === null ? {} : { exit_code: found.exitCode }),
    ...(found.signal === null ? {} : { signal: found.signal }),
    ...(found.output === null ? {} : { output: found.output }),
    ...(found.result === undefined ? {} : { result: withoutContents(found.result, call.diffs) }),
    ...(closing === "reported" && isUnreported(call, found) ? { output_reported: false } : {}),
    ...(call.unread === 0 ? {} : { content_unread: call.unread }),
    ...(call.diffs.length === 0 ? {} : { diffs: call.diffs }),
    ...(permission === null ? {} : { permission }),
    ...requestOf(call, permission),
    duration_ms: Math.max(0, now.getTime() - call.startedAt.getTime()),
  });
  const truncated = sum(output.truncated, found.dropped);
  const thought = storableText(
    call.thought
      .map(({ text }) => text)
      .join("\n\n")
      .trim(),
  );
  const observation = observationOf(call, found.output);
  return {
    created_at: now.toISOString(),
    message_type: "ACTION",
    tool_call_id: toolCallId(call),
    thought: thought === "" ? null : thought,
    tool_name: storableText(toolName(call)).slice(0, 200),
    tool_input: record(input.value),
    tool_output: {
      ...record(output.value),
      // Within a bound of their own: cut, they could not be shown.
      ...(call.images.length === 0 ? {} : { content: call.images }),
      ...(truncated === null ? {} : { truncated }),
    },
    observation: withImages(observation === null ? null : storableText(observation), imagesIn(call.thought)),
  };
}

/** A text, or, with the images that the agent showed, content blocks. */
export function withImages(text: string | null, images: readonly KeptImage[]): NewEntry["observation"] {
  if (images.length === 0) return text;
  return { content: [...(text === null ? [] : [{ type: "text", text }]), ...images] };
}

function requestOf(call: ToolCall, answer: PermissionAnswer | null): { request?: Record<string, unknown> } {
  const { asked } = call;
  if (asked === null) return {};
  const { title, kind, text, places, diffs, input } = asked;
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const own = toolInput(call);
  const told = [...Object.values(own), toolName(call)];
  const changed = call.diffs.map(({ path }) => path);
  const shown = JSON.stringify([own, changed]);
  const isTold = (path: string) => path === "." || shown.includes(JSON.stringify(path).slice(1, -1));
  const withoutLines = (changes: FileDiff[]) => changes.map(({ path, oldText, newText }) => [path, oldText, newText]);
  const more = {
    ...(title === "" || told.includes(title) ? {} : { title }),
    ...(text === "" || text === call.text ? {} : { text }),
    ...(places.every(({ path }) => isTold(path)) ? {} : { locations: places }),
    ...(isSame(input, own) ? {} : { tool_input: input }),
    ...(isSame(withoutLines(diffs), withoutLines(call.diffs)) ? {} : { diffs }),
    ...(answer === call.permission ? {} : { permission: call.permission }),
  };
  if (Object.keys(more).length === 0) return {};
  return {
    request: { ...(kind === null ? {} : { kind }), ...(places.length === 0 ? {} : { locations: places }), ...more },
  };
}

/** The agent's own id of a call, as stored in an entry; null if empty. */
export function toolCallId({ id }: ToolCall): string | null {
  return storableText(id.slice(0, toolCallIdMax)) || null;
}

/** The output of a running call so far: its last 16,384 characters. */
export function runningOutput(call: ToolCall): string {
  if (call.terminal !== null) return storableText(call.terminal.recent());
  return isDescription(call) ? "" : storableText(call.text.slice(-16_384));
}

/** True if the agent reported that the call ended but not its result, as gemini does for commands and reads. */
function isUnreported(call: ToolCall, { output, result, exitCode }: Output): boolean {
  const isAnswered = output !== null || result !== undefined || exitCode !== null || call.rawOutput != null;
  return (
    !isAnswered &&
    call.diffs.length === 0 &&
    call.images.length === 0 &&
    call.text === "" &&
    answerOf(call)?.decision !== "rejected"
  );
}

/** The exit code that the agent reported for a call; null if it reported none. */
export function reportedExit(call: ToolCall): number | null {
  return outputOf(call).exitCode;
}

type Output = {
  output: string | null;
  /** A structured result of an unknown shape. */
  result: unknown;
  exitCode: number | null;
  signal: string | null;
  dropped: Truncated | null;
};

const RawOutput = z.looseObject({
  output: lenient(z.string()),
  stdout: lenient(z.string()),
  stderr: lenient(z.string()),
  error: lenient(z.string()),
  exit_code: lenient(z.number()),
  exitCode: lenient(z.number()),
  signal: lenient(z.string()),
  metadata: lenient(z.looseObject({ exit: lenient(z.number()) })),
});

function outputOf(call: ToolCall): Output {
  const raw = rawOutputOf(call.rawOutput);
  const exitCode = call.exit?.code ?? raw.exitCode ?? exitCodeInText(call, raw.output);
  const signal = call.exit?.signal ?? raw.signal;
  if (call.terminal !== null) {
    const { text, dropped } = call.terminal.read();
    const cut = dropped > 0 ? { kept: call.terminal.length - dropped, dropped } : null;
    return { output: text, result: undefined, exitCode, signal, dropped: cut };
  }
  const own = raw.output === null || raw.output === "" ? null : raw.output;
  const text = own === null && call.text !== "" && !isDescription(call) ? unfenced(call.text) : own;
  return { output: text ?? raw.output, result: raw.result, exitCode, signal, dropped: null };
}

function rawOutputOf(raw: unknown): Omit<Output, "dropped"> {
  if (typeof raw === "string") return { output: raw, result: undefined, exitCode: null, signal: null };
  if (raw === null || raw === undefined) return { output: null, result: undefined, exitCode: null, signal: null };
  const parsed = RawOutput.safeParse(raw);
  if (!parsed.success) return { output: null, result: raw, exitCode: null, signal: null };
  const { output, stdout, stderr, error, exit_code, exitCode, signal, metadata } = parsed.data;
  const streams = stdout == null && stderr == null ? null : [stdout, stderr].filter(Boolean).join("\n");
  const text = output ?? streams ?? error ?? null;
  return {
    output: text,
    result: text === null ? raw : undefined,
    exitCode: exit_code ?? exitCode ?? metadata?.exit ?? null,
    signal: signal ?? null,
  };
}

/** An edit's result as Qwen Code reports it, without the file's contents before and after it if its diff holds both. */
function withoutContents(result: unknown, diffs: ToolCall["diffs"]): unknown {
  const { data } = EditResult.safeParse(result);
  if (data === undefined) return result;
  const { originalContent, newContent, ...rest } = data;
  const isHeld = diffs.some(({ oldText, newText }) => (oldText ?? "") === originalContent && newText === newContent);
  return isHeld ? rest : result;
}

const EditResult = z.looseObject({ originalContent: z.string(), newContent: z.string() });

/** The output of Claude's failing commands begins with a line with the exit code, which is not reported elsewhere. */
function exitCodeInText(call: ToolCall, output: string | null): number | null {
  if (call.kind !== "execute" || call.status !== "failed" || output === null) return null;
  const code = /^Exit code (\d{1,3})(?:\n|$)/.exec(output)?.[1];
  return code === undefined ? null : Number(code);
}

function statusOf(call: ToolCall, closing: Closing, { exitCode, signal, output }: Output): string {
  if (closing !== "reported") return closing;
  const said = call.status === "failed" ? "failed" : "completed";
  const outcome = outcomeOf({
    tool_name: toolName(call),
    tool_input: toolInput(call),
    tool_output: { status: said, exit_code: exitCode, signal, output },
  });
  if (outcome === "ok") return "completed";
  const decision = answerOf(call)?.decision;
  if (decision === "cancelled" || outcome === "cancelled") return "cancelled";
  if (decision === "rejected" || outcome === "refused") return "rejected";
  return outcome === "failed" ? "failed" : said;
}

/** The beginning of Qwen Code's report on a command, which repeats the command and its output. */
const qwenReport = /^Command: [\s\S]*?\nDirectory: [^\n]*\nOutput: /;

/** The agent's content text, if it differs from the output. */
function observationOf(call: ToolCall, output: string | null): string | null {
  if (call.text.trim() === "" || isDescription(call)) return null;
  const text = unfenced(call.text).trim();
  const said = comparable(text);
  const shown = comparable(output ?? "").trim();
  if (shown.includes(said) || withoutNumbers(shown)?.text.includes(said)) return null;
  // Some agents wrap the whole output in a report: Qwen Code with known fields; of others, short outputs may match by chance.
  if (output !== null && qwenReport.test(said)) return null;
  if (shown.length >= 16 && said.includes(shown)) return null;
  return cutMiddle(text, keptCharactersMax).text;
}

/**
 * Without terminal colors, which only some agents strip; huge texts are returned unchanged, because this reads every character.
 */
function comparable(text: string): string {
  return text.length > 1_000_000 ? text : withoutSequences(text);
}

/** Claude shows the purpose of a command as its content until there is output. */
function isDescription(call: ToolCall): boolean {
  return call.input !== null && call.text !== "" && call.text === call.input.description;
}

/** Without the Markdown fence that claude puts around outputs. */
function unfenced(text: string): string {
  const open = /^(`{3,})[\w-]*\n/.exec(text.slice(0, 100));
  const fence = open?.[1];
  const end = text.trimEnd();
  if (!open || fence === undefined || end.length < open[0].length + fence.length || !end.endsWith(fence)) return text;
  return end.slice(open[0].length, -fence.length).replace(/\n$/, "");
}

function sum(truncated: Truncated | null, earlier: Truncated | null): Truncated | null {
  if (truncated === null || earlier === null) return truncated ?? earlier;
  return { kept: truncated.kept, dropped: truncated.dropped + earlier.dropped };
}

function record(value: unknown): Record<string, unknown> {
  return fieldsOf(value);
}
