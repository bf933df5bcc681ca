"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Checklist } from "#components/trace/entry/parts/checklist.tsx";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { ObservationPart } from "#components/trace/entry/parts/observation-part.tsx";
import { type PlanChanges, planChanges } from "#components/trace/entry/parts/plan-changes.ts";
import { useTrace } from "#components/trace/reader/trace-context.tsx";
import { previousEntryQuery } from "#lib/client/pages/previous-entry-query.ts";
import { type PlanStep, planOf } from "#lib/entry/plan.ts";
import type { CardProps } from "./card-props.ts";

/** The agent's plan as a checklist; anything else as text. */
export function PlanCard({ entry }: CardProps) {
  const plan = useMemo(() => planOf(entry.thought ?? ""), [entry]);
  return (
    <div className="grid gap-2">
      {plan === null ? (
        <FoldedMarkdown text={entry.thought ?? ""} openKey={`${entry.seq}.plan`} />
      ) : (
        <Plan plan={plan} seq={entry.seq} />
      )}
      <ObservationPart entry={entry} />
    </div>
  );
}

function Plan({ plan, seq }: { plan: PlanStep[]; seq: number }) {
  const changes = useChanges(plan, seq);
  const doneCount = plan.filter((step) => step.state === "done").length;
  const failedCount = plan.filter((step) => step.state === "failed").length;
  return (
    <div className="grid justify-items-start gap-1.5">
      <p className="text-[13px] text-muted-foreground tabular-nums">
        Plan · {doneCount} of {plan.length} done
        {failedCount > 0 && <span className="text-status-failed"> · {failedCount} failed</span>}
        {changes !== null && wordsOf(changes)}
      </p>
      <Checklist plan={plan} openKey={`${seq}.plan`} changes={changes} />
    </div>
  );
}

/** Changes since the run's previous plan; null while they are unknown, and for the first plan. */
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
    finished.size > 0 && `${finished.size} just done`,
    added.size > 0 && `${added.size} added`,
    gone.length > 0 && `${gone.length} dropped`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "" : ` · ${parts.join(", ")}`;
}
