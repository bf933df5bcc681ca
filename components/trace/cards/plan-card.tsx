import { Circle, CircleCheck, CircleDot } from "lucide-react";
import { Markdown } from "#components/trace/text/markdown.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { CardProps } from "./card-props.ts";
import { type PlanStep, planOf } from "./plan.ts";

/** The agent's plan as a checklist; a plan that is none is text. */
export function PlanCard({ entry }: CardProps) {
  const plan = planOf(entry.thought ?? "");
  if (plan === null) return <Markdown text={entry.thought ?? ""} />;
  const doneCount = plan.filter((step) => step.state === "done").length;
  return (
    <div className="grid gap-1.5">
      <p className="text-[13px] text-muted-foreground tabular-nums">
        Plan · {doneCount} of {plan.length} done
      </p>
      <ul className="grid gap-1">
        {plan.map((step) => (
          <PlanLine key={step.id} step={step} />
        ))}
      </ul>
    </div>
  );
}

const looks = {
  done: { icon: CircleCheck, colour: "text-status-completed", word: "done" },
  active: { icon: CircleDot, colour: "text-status-running", word: "in progress" },
  open: { icon: Circle, colour: "text-muted-foreground", word: "to do" },
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
