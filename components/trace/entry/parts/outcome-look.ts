import { Ban, Check, CircleDashed, CircleQuestionMark, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import type { Outcome } from "#lib/entry/outcome.ts";

/** Display of an outcome, the same everywhere: its own icon and word, and the color of its badge. */
export type OutcomeLook = {
  icon: LucideIcon;
  word: string;
  variant: "default" | "completed" | "failed";
  color: string;
};

/** Look of every outcome of a tool call. */
export const outcomeLooks: Record<Outcome, OutcomeLook> = {
  ok: { icon: Check, word: "succeeded", variant: "completed", color: "text-status-completed" },
  failed: { icon: CircleX, word: "failed", variant: "failed", color: "text-status-failed" },
  refused: { icon: Ban, word: "refused", variant: "default", color: "text-status-ended" },
  cancelled: { icon: CircleSlash, word: "cancelled", variant: "default", color: "text-status-ended" },
  unfinished: { icon: CircleDashed, word: "no result", variant: "default", color: "text-status-ended" },
  unknown: { icon: CircleQuestionMark, word: "outcome unknown", variant: "default", color: "text-status-ended" },
};
