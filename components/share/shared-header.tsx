"use client";

import { GitBranch, Moon, Sun } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { Duration } from "#components/runs/duration.tsx";
import { runTitle } from "#components/runs/run-title.ts";
import { formatCost, formatCountOf, formatTokens } from "#components/shell/format-number.ts";
import { useTheme } from "#components/shell/theme.tsx";
import { RunStatus } from "#components/trace/later-parts.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Run } from "#lib/contract/run.ts";

type SharedHeaderProps = { run: Run; totalLogs: number; isPart: boolean; tabs: ReactNode };

/** What the run is and how it stands, as far as a stranger may know. */
export function SharedHeader({ run, totalLogs, isPart, tabs }: SharedHeaderProps) {
  const title = runTitle(run.prompt);
  return (
    <header className="shrink-0 border-border border-b bg-background">
      <div className="flex items-center gap-x-3 px-4 pt-2.5">
        {!isPart && <RunStatus status={run.status} className="shrink-0 max-sm:[&>span]:sr-only" />}
        <h1 className="min-w-0 flex-1 truncate font-semibold text-base/6" title={title}>
          <span className="mr-1.5 font-normal text-muted-foreground tabular-nums">#{run.id}</span>
          <VisibleText text={title} />
        </h1>
        <ThemeButton />
      </div>
      <div className="flex min-w-0 items-center gap-x-2 overflow-hidden whitespace-nowrap px-4 pt-1 text-[13px] text-muted-foreground">
        {factsOf(run, totalLogs, isPart).map(({ name, value, className }, index) => (
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

function factsOf(run: Run, totalLogs: number, isPart: boolean): Fact[] {
  const facts: Fact[] = [{ name: "Agent", value: <VisibleText text={run.agent} /> }];
  if (run.model !== null) {
    facts.push({ name: "Model", value: <VisibleText text={run.model} />, className: "truncate max-md:hidden" });
  }
  if (run.base_branch !== null) {
    facts.push({ name: "Branch", value: <Branch name={run.base_branch} />, className: "min-w-0 shrink max-sm:hidden" });
  }
  if (!isPart) {
    facts.push({ name: "Duration", value: <Duration startedAt={run.started_at} finishedAt={run.finished_at} /> });
  }
  facts.push({ name: "Steps", value: <span className="tabular-nums">{formatCountOf(totalLogs, "step")}</span> });
  if (run.tokens !== null) {
    facts.push({ name: "Tokens", value: `${formatTokens(run.tokens.total)} tokens`, className: "max-sm:hidden" });
  }
  if (run.cost_usd !== null) facts.push({ name: "Cost", value: formatCost(run.cost_usd) });
  return facts;
}

function Branch({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      <GitBranch aria-hidden className="size-3 shrink-0" />
      <span className="truncate">
        <VisibleText text={name} />
      </span>
    </span>
  );
}

function ThemeButton() {
  const { resolved, setTheme } = useTheme();
  const other = resolved === "dark" ? "light" : "dark";
  return (
    <IconButton label={`Switch to ${other}`} size="icon-sm" onClick={() => setTheme(other)}>
      {other === "dark" ? <Moon /> : <Sun />}
    </IconButton>
  );
}
