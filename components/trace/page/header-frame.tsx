"use client";

import { Fragment, type ReactNode } from "react";
import { RunStatus } from "#components/runs/run-status.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import type { Run } from "#lib/contract/runs/run.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import type { HeaderFact } from "./header-facts.tsx";

type HeaderFrameProps = {
  run: Run;
  /** The status is not shown for part of a run. */
  hasStatus?: boolean;
  actions: ReactNode;
  facts: readonly HeaderFact[];
  tabs: ReactNode;
};

/** Title and status of a run, in two lines above its views; it stays while the steps scroll. */
export function HeaderFrame({ run, hasStatus = true, actions, facts, tabs }: HeaderFrameProps) {
  const title = runTitle(run.prompt);
  return (
    <header className="shrink-0 border-border border-b bg-background">
      <div className="flex items-center gap-x-3 px-4 pt-2.5 max-sm:items-start">
        {hasStatus && (
          // A change is announced: the agent asks, or the run has ended.
          <div role="status" className="flex shrink-0">
            <RunStatus status={run.status} className="shrink-0 max-sm:h-6 max-sm:[&>span]:sr-only" />
          </div>
        )}
        <h1
          className="min-w-0 flex-1 font-semibold text-base/6 [overflow-wrap:anywhere] max-sm:line-clamp-2 sm:truncate"
          title={title}
        >
          <span className="mr-1.5 font-normal text-muted-foreground tabular-nums">#{run.id}</span>
          <bdi>
            <VisibleText text={title} />
          </bdi>
        </h1>
        <div className="flex shrink-0 items-center gap-1.5">{actions}</div>
      </div>
      <div className="relative flex min-w-0 items-center gap-x-2 overflow-hidden whitespace-nowrap px-4 pt-1 text-[13px] text-muted-foreground">
        {facts.map(({ name, value, className }, index) => (
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
