import type { Tint } from "#components/canvas/pencil.ts";
import { toolKindOf } from "#lib/entry/read-tool-view.ts";
import type { ToolKind } from "#lib/entry/tool-view.ts";
import type { Bar, Part } from "./timeline-data.ts";

/** Uses of a moment, in the order they are drawn and listed. */
export const uses = ["tool", "thinking", "waiting", "idle"] as const;
export type Use = (typeof uses)[number];
/** Between tool calls the agent starts, thinks or writes; one without a model never thinks. */
const useLabels: Record<Use, string> = { tool: "Tools", thinking: "Agent", waiting: "Waiting", idle: "Idle" };
/** Other systems may not report durations of tools; then tools and agent cannot be distinguished. */
const untimedLabels: Record<Use, string> = { ...useLabels, tool: "Tools alone", thinking: "Tools and agent" };
export const useTints: Record<Use, Tint> = {
  tool: { token: "--foreground", alpha: 0.62 },
  thinking: { token: "--muted-foreground", alpha: 0.28 },
  waiting: { token: "--status-waiting", alpha: 0.9 },
  idle: { token: "--muted-foreground", alpha: 0.4 },
};

/** Labels of the uses of time in a run or part of it, with or without durations of tool calls. */
export function labelsOfUses(parts: readonly Part[]): Record<Use, string> {
  return hasDurations(parts) ? useLabels : untimedLabels;
}

/** Uses that can be distinguished: without durations, no time is known to belong to a tool alone. */
export function distinguishableUses(parts: readonly Part[]): readonly Use[] {
  return hasDurations(parts) ? uses : uses.filter((use) => use !== "tool");
}

function hasDurations(parts: readonly Part[]): boolean {
  return parts.some(({ timed_calls, tool_ms }) => timed_calls > 0 || tool_ms >= 1) || !parts.some(hasCalls);
}

function hasCalls({ counts }: Part): boolean {
  return (counts.ACTION ?? 0) > 0;
}

/** Milliseconds of a part by use. */
export function spentOn(part: Part, use: Use): number {
  return { tool: part.tool_ms, thinking: part.thinking_ms, waiting: part.waiting_ms, idle: part.idle_ms }[use];
}

/** Looks of tool bars: commands are the most prominent, read-only tools the least. */
export type BarLook = { fill: Tint; text: Tint; border: Tint | null };
const text: Tint = { token: "--foreground", alpha: 1 };
const onDark: Tint = { token: "--background", alpha: 1 };
const border: Tint = { token: "--muted-foreground", alpha: 0.55 };
const looking: BarLook = { fill: { token: "--muted-foreground", alpha: 0.1 }, text, border };

const other: BarLook = { fill: { token: "--background", alpha: 1 }, text, border };

const shell: BarLook = { fill: { token: "--foreground", alpha: 0.72 }, text: onDark, border: null };
const edit: BarLook = { fill: { token: "--muted-foreground", alpha: 0.34 }, text, border };
/** All kinds of tools not listed are {@link other}. */
const barLooks: Partial<Record<ToolKind, BarLook>> = {
  ...{ shell, edit },
  ...{ read: looking, search: looking, list: looking, fetch: looking },
};
const failed: BarLook = { fill: { token: "--status-failed", alpha: 1 }, text: onDark, border: null };
/** A running tool. */
export const runningLook: BarLook = {
  fill: { token: "--status-running", alpha: 0.18 },
  text,
  border: { token: "--status-running", alpha: 1 },
};

/** Legend of the bars' looks. */
export const barKinds: readonly { name: string; look: BarLook }[] = [
  { name: "commands", look: shell },
  { name: "edits", look: edit },
  { name: "looking", look: looking },
  { name: "other", look: other },
  { name: "failed", look: failed },
];

/** Look of a tool call's bar. */
export function barLookOf({ tool_name, is_error }: Pick<Bar, "tool_name" | "is_error">): BarLook {
  return is_error ? failed : (barLooks[toolKindOf(tool_name)] ?? other);
}

export const errorTint: Tint = { token: "--status-failed", alpha: 1 };

/** From bottom to top of a column; kinds not listed here come before the last two. */
const order = ["USER_MESSAGE", "USER_GITHUB_ISSUE_COMMENT", "FINAL_ANSWER", "PLAN_EVALUATION", "ACTION"];

/** Kinds of entries of a part in stacking order, with errors marked separately. */
export function stackOf({ counts }: Pick<Part, "counts">): [messageType: string, count: number][] {
  const rankOf = (kind: string) => (order.includes(kind) ? order.indexOf(kind) : 2.5);
  return Object.entries(counts).sort(([one], [other]) => rankOf(one) - rankOf(other));
}
