"use client";

import { Circle, CircleCheck, CircleDot, CircleSlash } from "lucide-react";
import { holds } from "#components/trace/find/find-text.ts";
import { useOpenForSought, useSought } from "#components/trace/find/sought.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { CardProps } from "./card-props.ts";
import { FoldedMarkdown } from "./folded-markdown.tsx";
import { type PlanStep, planOf, planWindow } from "./plan.ts";

/** The agent's plan as a checklist; a plan that is none is text. */
export function PlanCard({ entry }: CardProps) {
  const plan = planOf(entry.thought ?? "");
  if (plan === null) return <FoldedMarkdown text={entry.thought ?? ""} keptAs={`${entry.seq}.plan`} />;
  return <Checklist plan={plan} keptAs={`${entry.seq}.plan`} />;
}

function Checklist({ plan, keptAs }: { plan: PlanStep[]; keptAs: string }) {
  const folded = planWindow(plan);
  const sought = useSought();
  const hasSought = (steps: readonly PlanStep[]) =>
    sought !== null && steps.some((step) => holds(step.text, sought.needle));
  const hidesSought = hasSought(plan) && !hasSought(folded.steps);
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(keptAs), hidesSought);
  const { steps, before, after } = isOpen ? { steps: plan, before: 0, after: 0 } : folded;
  const doneCount = plan.filter((step) => step.state === "done").length;
  return (
    <div className="grid justify-items-start gap-1.5">
      <p className="text-[13px] text-muted-foreground tabular-nums">
        Plan · {doneCount} of {plan.length} done
      </p>
      <ul className="grid gap-1">
        {before > 0 && <li className="text-[13px] text-muted-foreground tabular-nums">{before} before</li>}
        {steps.map((step) => (
          <PlanLine key={step.id} step={step} />
        ))}
        {after > 0 && <li className="text-[13px] text-muted-foreground tabular-nums">{after} after</li>}
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

function PlanLine({ step }: { step: PlanStep }) {
  const { icon: Icon, colour, word } = looks[step.state];
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", colour)} />
      <span className={cn("min-w-0 [overflow-wrap:anywhere]", step.state === "done" && "text-muted-foreground")}>
        <span className="sr-only">{word}: </span>
        <VisibleText text={step.text} />
      </span>
    </li>
  );
}
