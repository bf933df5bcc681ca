"use client";

import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck, CircleDot, CircleSlash } from "lucide-react";
import { useMemo } from "react";
import { holds } from "#components/trace/find/find-text.ts";
import { useOpenForSought, useSought } from "#components/trace/find/sought.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { useKeptOpen, useTrace } from "#components/trace/trace-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { previousEntryQuery } from "#lib/client/previous-entry-query.ts";
import type { CardProps } from "./card-props.ts";
import { FoldedMarkdown } from "./folded-markdown.tsx";
import { type PlanStep, planOf, planWindow } from "./plan.ts";
import { type PlanChanges, planChanges } from "./plan-changes.ts";

/** The agent's plan as a checklist; a plan that is none is text. */
export function PlanCard({ entry }: CardProps) {
  const plan = useMemo(() => planOf(entry.thought ?? ""), [entry]);
  if (plan === null) return <FoldedMarkdown text={entry.thought ?? ""} keptAs={`${entry.seq}.plan`} />;
  return <Checklist plan={plan} seq={entry.seq} />;
}

function Checklist({ plan, seq }: { plan: PlanStep[]; seq: number }) {
  const changes = useChanges(plan, seq);
  const folded = planWindow(plan);
  const sought = useSought();
  const hasSought = (steps: readonly PlanStep[]) =>
    sought !== null && steps.some((step) => holds(step.text, sought.needle));
  const hidesSought = hasSought(plan) && !hasSought(folded.steps);
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(`${seq}.plan`), hidesSought);
  const { steps, before, after } = isOpen ? { steps: plan, before: 0, after: 0 } : folded;
  const doneCount = plan.filter((step) => step.state === "done").length;
  return (
    <div className="grid justify-items-start gap-1.5">
      <p className="text-[13px] text-muted-foreground tabular-nums">
        Plan · {doneCount} of {plan.length} done
        {changes !== null && wordsOf(changes)}
      </p>
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
        <Button
          variant="ghost"
          size="sm"
          className="-ml-2 text-muted-foreground"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : `Show all ${plan.length} steps`}
        </Button>
      )}
    </div>
  );
}

const looks = {
  done: { icon: CircleCheck, colour: "text-status-completed", word: "done" },
  active: { icon: CircleDot, colour: "text-status-running", word: "in progress" },
  open: { icon: Circle, colour: "text-muted-foreground", word: "to do" },
  dropped: { icon: CircleSlash, colour: "text-status-ended", word: "given up" },
};

/** Of the steps that a plan no longer has, so many are named. */
const goneMax = 5;

/** What changed since the last plan of the run; null while that is not known, and for the first one. */
function useChanges(plan: PlanStep[], seq: number): PlanChanges | null {
  const { source } = useTrace();
  const { data } = useQuery(previousEntryQuery(source, "PLAN_EVALUATION", seq));
  return useMemo(() => {
    const before = planOf(data?.thought ?? "");
    return before === null ? null : planChanges(before, plan);
  }, [data, plan]);
}

function wordsOf({ added, finished, gone }: PlanChanges): string {
  const parts = [
    finished.size > 0 && `${finished.size} newly done`,
    added.size > 0 && `${added.size} added`,
    gone.length > 0 && `${gone.length} dropped`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "" : ` · ${parts.join(", ")}`;
}

function changeOf({ id }: PlanStep, changes: PlanChanges | null): string | null {
  if (changes === null) return null;
  return changes.finished.has(id) ? "newly done" : changes.added.has(id) ? "added" : null;
}

function PlanLine({ step, change }: { step: PlanStep; change: string | null }) {
  const { icon: Icon, colour, word } = looks[step.state];
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", colour)} />
      <span className={cn("min-w-0 [overflow-wrap:anywhere]", step.state === "done" && "text-muted-foreground")}>
        <span className="sr-only">{word}: </span>
        <VisibleText text={step.text} />
      </span>
      {change !== null && (
        <Badge variant="outline" className="shrink-0">
          {change}
        </Badge>
      )}
    </li>
  );
}
