import { randomUUID } from "node:crypto";
import type { Question } from "#lib/contract/runs/question.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
import type { PermissionRequest } from "./message.ts";
import { storableJson, storableText } from "./storable.ts";
import type { Asked, PermissionAnswer } from "./tool-call.ts";

/** A request's answer: what is recorded, and the id of the option for the agent (null answers "cancelled"). */
export type Decision = { answer: PermissionAnswer; optionId: string | null };

type Option = PermissionRequest["options"][number];
type OptionKind = Question["options"][number]["kind"];

const optionKinds: readonly OptionKind[] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** What choosing an option does; for a kind that ACP does not have, as far as its words say. In doubt it rejects. */
function effectOf({ kind, name, optionId }: Option): OptionKind {
  const known = optionKinds.find((one) => one === kind);
  if (known !== undefined) return known;
  const words = [kind, name, optionId].find((text) => text !== "") ?? "";
  return /^(?:allow|accept|approve|grant|yes)/i.test(words.trim()) ? "allow_once" : "reject_once";
}

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
  const decision = effectOf(option).startsWith("allow") ? "allowed" : "rejected";
  return { answer: { decision, option: option.kind, by: "person" }, optionId: option.optionId };
}

/** The options that a person is offered: those whose id an answer can name, each once with all of its names, the first 20. */
function choices({ options }: PermissionRequest): Option[] {
  const offered = new Map<string, Option>();
  for (const option of options) {
    const { optionId, name } = option;
    if (optionId === "" || optionId.length > 200) continue;
    const same = offered.get(optionId);
    if (same === undefined && offered.size === 20) break;
    const names = [...new Set([...(same?.name.split(" / ") ?? []), name])].filter((one) => one !== "");
    offered.set(optionId, { ...(same ?? option), name: names.join(" / ").slice(0, 500) });
  }
  return [...offered.values()];
}

/** The answer to a request of a turn that is being stopped, or that nobody can answer. */
export const cancelledDecision: Decision = {
  answer: { decision: "cancelled", option: null, by: "cancel" },
  optionId: null,
};

const inputCharactersMax = 128 * 1024;
const placesMax = 1000;
const diffsMax = 200;

/** The question to a person, complete but bounded; if the agent shows its intended changes, `tool_input.diffs` has them. */
export function questionFor(request: PermissionRequest, tool: Asked, now: Date, expiresInMs: number): Question {
  const { diffs } = tool;
  // Each change has the same room: a large one must not hide those after it.
  const diffMax = Math.floor(inputCharactersMax / Math.min(diffs.length, diffsMax));
  const shown = diffs.slice(0, diffsMax).map((diff) => storableJson(diff, diffMax).value);
  const input = storableJson(tool.input, inputCharactersMax).value;
  return {
    id: randomUUID(),
    title: storableText((tool.title || tool.name).slice(0, 4000)),
    tool_name: storableText(tool.name.slice(0, 200)),
    tool_input: diffs.length === 0 ? input : { ...Object(input), diffs: shown },
    kind: tool.kind === null ? null : storableText(tool.kind.slice(0, 200)),
    text: tool.text === "" ? null : storableText(tool.text),
    locations: tool.places
      .slice(0, placesMax)
      .map(({ path, line }) => ({ path: storableText(path.slice(0, 4000)), line })),
    locations_total: tool.places.length,
    diffs_total: diffs.length,
    options: choices(request).map((option) => ({
      id: option.optionId,
      name: storableText(option.name.slice(0, 500)) || option.kind.slice(0, 500) || effectOf(option),
      kind: effectOf(option),
    })),
    asked_at: now.toISOString(),
    expires_at: new Date(now.getTime() + expiresInMs).toISOString(),
  };
}

function decide(request: PermissionRequest, decision: "allowed" | "rejected", by: PermissionAnswer["by"]): Decision {
  const kinds: OptionKind[] =
    decision === "allowed" ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const options = request.options.filter(({ optionId }) => optionId !== "");
  const option = [
    ...kinds.map((kind) => options.find((candidate) => candidate.kind === kind)),
    options.find((candidate) => kinds.includes(effectOf(candidate))),
  ].find((candidate) => candidate !== undefined);
  // Without an option that rejects, "cancelled" is the only answer that does not allow.
  if (option === undefined) return { answer: { decision: "rejected", option: null, by }, optionId: null };
  return { answer: { decision, option: option.kind, by }, optionId: option.optionId };
}
