import { randomUUID } from "node:crypto";
import type { PermissionMode, Question } from "#lib/contract/run.ts";
import type { PermissionRequest } from "./message.ts";
import { storableJson, storableText } from "./storable.ts";
import type { FileDiff, PermissionAnswer } from "./tool-call.ts";

/** A request's answer: what is recorded, and the id of the option for the agent (null answers "cancelled"). */
export type Decision = { answer: PermissionAnswer; optionId: string | null };

type OptionKind = PermissionRequest["options"][number]["kind"];

/** Kinds of tools that change nothing. */
const readingKinds = new Set(["read", "search", "think", "fetch"]);

/** Whether the mode read-only allows tools of a kind. Those that fetch tell other hosts what they fetch. */
export function isReadingKind(kind: string | null, { mayFetch }: { mayFetch: boolean }): boolean {
  return kind !== null && readingKinds.has(kind) && (mayFetch || kind !== "fetch");
}

/**
 * The answer to a request in a mode that needs no person. Options are chosen by their kind: their order and ids have no meaning.
 * Null in the mode ask. `isReading`: the mode read-only allows the tool.
 */
export function decideByMode(request: PermissionRequest, mode: PermissionMode, isReading: boolean): Decision | null {
  switch (mode) {
    case "ask":
      // A person could only wait for the time limit.
      return choices(request).length === 0 ? cancelledDecision : null;
    case "auto":
      return decide(request, "allowed", "auto");
    case "read-only":
      return decide(request, isReading ? "allowed" : "rejected", "read-only");
  }
}

/** The answer for a person's choice; null for no answer in time. */
export function decideByPerson(request: PermissionRequest, optionId: string | null): Decision {
  const option = request.options.find((candidate) => candidate.optionId === optionId);
  if (option === undefined) return decide(request, "rejected", "timeout");
  const decision = option.kind.startsWith("allow") ? "allowed" : "rejected";
  return { answer: { decision, option: option.kind, by: "person" }, optionId: option.optionId };
}

/** The options that a person is offered: those whose id an answer can name, the first 20. */
function choices({ options }: PermissionRequest): PermissionRequest["options"] {
  return options.filter(({ optionId }) => optionId !== "" && optionId.length <= 200).slice(0, 20);
}

/** The answer to a request of a turn that is being stopped, or that nobody can answer. */
export const cancelledDecision: Decision = {
  answer: { decision: "cancelled", option: null, by: "cancel" },
  optionId: null,
};

/** The question to a person; if the agent shows its intended change, `tool_input.diffs` has it. */
export function questionFor(
  request: PermissionRequest,
  tool: { name: string; title: string; input: Record<string, unknown>; diffs: FileDiff[] },
  now: Date,
  expiresInMs: number,
): Question {
  const input = tool.diffs.length > 0 ? { ...tool.input, diffs: tool.diffs } : tool.input;
  return {
    id: randomUUID(),
    title: storableText((tool.title || tool.name).slice(0, 4000)),
    tool_name: storableText(tool.name.slice(0, 200)),
    tool_input: storableJson(input, 256 * 1024).value,
    options: choices(request).map(({ optionId, name, kind }) => ({
      id: optionId,
      name: storableText(name.slice(0, 500)) || kind,
      kind,
    })),
    asked_at: now.toISOString(),
    expires_at: new Date(now.getTime() + expiresInMs).toISOString(),
  };
}

function decide(request: PermissionRequest, decision: "allowed" | "rejected", by: PermissionAnswer["by"]): Decision {
  const kinds: OptionKind[] =
    decision === "allowed" ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = kinds
    .map((kind) => request.options.find((candidate) => candidate.kind === kind))
    .find((candidate) => candidate !== undefined);
  // Without an option that rejects, "cancelled" is the only answer that does not allow.
  if (option === undefined) return { answer: { decision: "rejected", option: null, by }, optionId: null };
  return { answer: { decision, option: option.kind, by }, optionId: option.optionId };
}
