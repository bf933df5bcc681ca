import { Ban, Check, CircleDashed, CircleQuestionMark, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import type { Outcome } from "#lib/entry/outcome.ts";

/** Display of an outcome, the same everywhere: its own icon and word, and the colour of its badge. */
export type OutcomeLook = {
  icon: LucideIcon;
  word: string;
  variant: "default" | "completed" | "failed";
  colour: string;
};

/** Look of every outcome of a tool call. */
export const outcomeLooks: Record<Outcome, OutcomeLook> = {
  ok: { icon: Check, word: "succeeded", variant: "completed", colour: "text-status-completed" },
  failed: { icon: CircleX, word: "failed", variant: "failed", colour: "text-status-failed" },
  refused: { icon: Ban, word: "refused", variant: "default", colour: "text-status-ended" },
  cancelled: { icon: CircleSlash, word: "cancelled", variant: "default", colour: "text-status-ended" },
  unfinished: { icon: CircleDashed, word: "no result", variant: "default", colour: "text-status-ended" },
  unknown: { icon: CircleQuestionMark, word: "outcome unknown", variant: "default", colour: "text-status-ended" },
};
