"use client";

import { GitBranch } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { Duration } from "#components/runs/duration.tsx";
import { runTitle } from "#components/runs/run-title.ts";
import { formatCost, formatCount, formatCountOf, formatTokens } from "#components/shell/format-number.ts";
import type { Run } from "#lib/contract/run.ts";
import { RunStatus } from "./later-parts.tsx";
import { VisibleText } from "./text/visible-text.tsx";

type RunHeaderProps = { run: Run; totalLogs: number; actions: ReactNode; tabs: ReactNode };

/** What the run is and how it stands, in two lines; it stays while the steps scroll. */
export function RunHeader({ run, totalLogs, actions, tabs }: RunHeaderProps) {
  const title = runTitle(run.prompt);
  return (
    <header className="shrink-0 border-border border-b bg-background">
      <div className="flex items-center gap-x-3 px-4 pt-2.5">
        <RunStatus status={run.status} className="shrink-0 max-sm:[&>span]:sr-only" />
        <h1 className="min-w-0 flex-1 truncate font-semibold text-base/6" title={title}>
          <span className="mr-1.5 font-normal text-muted-foreground tabular-nums">#{run.id}</span>
          <VisibleText text={title} />
        </h1>
        <div className="flex shrink-0 items-center gap-1.5">{actions}</div>
      </div>
      <div className="flex min-w-0 items-center gap-x-2 overflow-hidden whitespace-nowrap px-4 pt-1 text-[13px] text-muted-foreground">
        {factsOf(run, totalLogs).map(({ name, value, className }, index) => (
          <Fragment key={name}>
            {index > 0 && (
              <span aria-hidden className={className}>
                ·
              </span>
            )}
            <span className={className}>
              <span className="sr-only">{name}: </span>
              {value}
            </span>
          </Fragment>
        ))}
      </div>
      {tabs}
    </header>
  );
}

type Fact = { name: string; value: ReactNode; className?: string };

/** On narrow screens the less urgent ones are left to the run's details. */
function factsOf(run: Run, totalLogs: number): Fact[] {
  const facts: Fact[] = [{ name: "Agent", value: run.agent }];
  if (run.model !== null) {
    facts.push({ name: "Model", value: <VisibleText text={run.model} />, className: "truncate max-md:hidden" });
  }
  facts.push({ name: "Repository", value: <Place run={run} />, className: "min-w-0 shrink max-sm:hidden" });
  facts.push({ name: "Duration", value: <Duration startedAt={run.started_at} finishedAt={run.finished_at} /> });
  facts.push({ name: "Steps", value: <span className="tabular-nums">{formatCountOf(totalLogs, "step")}</span> });
  const { tokens } = run;
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
  if (run.cost_usd !== null) {
    facts.push({ name: "Cost", value: <span className="tabular-nums">{formatCost(run.cost_usd)}</span> });
  }
  return facts;
}

function Place({ run }: { run: Run }) {
  if (run.repo_full_name === null) return <span className="block truncate">Empty repository</span>;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="truncate">{run.repo_full_name}</span>
      {run.base_branch !== null && (
        <span className="flex min-w-0 items-center gap-0.5" title={`From branch ${run.base_branch}`}>
          <GitBranch aria-hidden className="size-3 shrink-0" />
          <span className="truncate">{run.base_branch}</span>
        </span>
      )}
    </span>
  );
}
