"use client";

import { Circle, CircleCheck, CircleDot, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import { FoldButton } from "#components/text/fold-button.tsx";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { holds } from "#components/text/marks/find-text.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/class-names.ts";
import { type PlanStep, planWindow } from "#lib/entry/plan.ts";
import type { PlanChanges } from "./plan-changes.ts";

type ChecklistProps = {
  plan: readonly PlanStep[];
  /** Identifies the list, so that it stays open if the reader opened it. */
  openKey: string;
  /** Changes since the previous plan; null if unknown. */
  changes: PlanChanges | null;
};

/** Number of removed steps that are named. */
const goneMax = 5;

/** Steps of a plan with their states; a long one is folded around the current step. */
export function Checklist({ plan, openKey, changes }: ChecklistProps) {
  const folded = planWindow(plan);
  const currentMatch = useCurrentMatch();
  const hasMatch = (steps: readonly PlanStep[]) =>
    currentMatch !== null && steps.some(({ text, note = "" }) => holds(`${text} (${note})`, currentMatch.needle));
  const hidesMatch = hasMatch(plan) && !hasMatch(folded.steps);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  const { steps, before, after } = isOpen ? { steps: plan, before: 0, after: 0 } : folded;
  return (
    <>
      <ul className="grid gap-1">
        {before > 0 && <li className="text-[13px] text-muted-foreground tabular-nums">{before} before</li>}
        {steps.map((step) => (
          <PlanLine key={step.id} step={step} change={changeOf(step, changes)} />
        ))}
        {after > 0 && <li className="text-[13px] text-muted-foreground tabular-nums">{after} after</li>}
        {changes?.gone.slice(0, goneMax).map((text) => (
          <li key={text} className="flex items-start gap-2 text-muted-foreground">
            <CircleSlash aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 line-through [overflow-wrap:anywhere]">
              <span className="sr-only">no longer planned: </span>
              <VisibleText text={text} />
            </span>
          </li>
        ))}
      </ul>
      {folded.before + folded.after > 0 && (
        <FoldButton
          isOpen={isOpen}
          label={`Show all ${plan.length} plan items`}
          onChange={setOpen}
          className="m-0 -ml-2"
        />
      )}
    </>
  );
}

const looks: Record<PlanStep["state"], { icon: LucideIcon; color: string; word: string }> = {
  done: { icon: CircleCheck, color: "text-status-completed", word: "done" },
  active: { icon: CircleDot, color: "text-status-running", word: "in progress" },
  open: { icon: Circle, color: "text-muted-foreground", word: "to do" },
  dropped: { icon: CircleSlash, color: "text-status-ended", word: "given up" },
  failed: { icon: CircleX, color: "text-status-failed", word: "failed" },
};

function changeOf({ id }: PlanStep, changes: PlanChanges | null): string | null {
  if (changes === null) return null;
  return changes.finished.has(id) ? "just done" : changes.added.has(id) ? "added" : null;
}

function PlanLine({ step, change }: { step: PlanStep; change: string | null }) {
  const { icon: Icon, color, word } = looks[step.state];
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
      <span className={cn("min-w-0 [overflow-wrap:anywhere]", step.state === "done" && "text-muted-foreground")}>
        <span className="sr-only">{word}: </span>
        <VisibleText text={step.text} />
        {step.note !== undefined && (
          <span className={color}>
            {" ("}
            <VisibleText text={step.note} />)
          </span>
        )}
      </span>
      {change !== null && (
        <Badge variant="outline" className="shrink-0">
          {change}
        </Badge>
      )}
    </li>
  );
}
