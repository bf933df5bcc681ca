import { GitBranch } from "lucide-react";
import type { ReactNode } from "react";
import { Duration } from "#components/runs/duration.tsx";
import { formatCost, formatCount, formatCountOf, formatTokens } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import type { Run } from "#lib/contract/runs/run.ts";
import { reportedNothing } from "./usage-words.ts";

/** A fact in the header of a run. On narrow screens the less important ones are only in the run's details. */
export type HeaderFact = { name: string; value: ReactNode; className?: string };

/** The agent. */
export function agentFacts({ agent, model }: Run): HeaderFact[] {
  const facts: HeaderFact[] = [{ name: "Agent", value: <VisibleText text={agent} /> }];
  if (model !== null) {
    facts.push({ name: "Model", value: <VisibleText text={model} />, className: "truncate max-md:hidden" });
  }
  return facts;
}

/** Time at work, so far if the run is live. */
export function durationFact(run: Run): HeaderFact {
  return { name: "Duration", value: <Duration run={run} /> };
}

/** Numbers of steps, tokens and cost. If an ended run reported neither tokens nor cost, says so, unless only part is shown. */
export function figureFacts(run: Run, totalLogs: number, isWhole = true): HeaderFact[] {
  const { tokens, cost_usd } = run;
  const facts: HeaderFact[] = [
    { name: "Steps", value: <span className="tabular-nums">{formatCountOf(totalLogs, "step")}</span> },
  ];
  if (tokens !== null) {
    const words = `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`;
    facts.push({
      name: "Tokens",
      value: (
        <span className="tabular-nums" title={words}>
          {formatTokens(tokens.total)} tokens
        </span>
      ),
      className: "max-sm:hidden",
    });
  }
  if (cost_usd !== null) {
    facts.push({ name: "Cost", value: <span className="tabular-nums">{formatCost(cost_usd)}</span> });
  }
  if (isWhole && reportedNothing(run))
    facts.push({ name: "Usage", value: "Usage not reported", className: "max-lg:hidden" });
  return facts;
}

/** The run's base branch. */
export function BranchName({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-0.5" title={`From branch ${name}`}>
      <GitBranch aria-hidden className="size-3 shrink-0" />
      <span className="truncate">
        <VisibleText text={name} />
      </span>
    </span>
  );
}
