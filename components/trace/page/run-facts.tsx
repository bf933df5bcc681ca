"use client";

import { memo, type ReactNode, Suspense, useMemo, useState } from "react";
import { Duration } from "#components/runs/duration.tsx";
import { LeftOutLink } from "#components/runs/left-out.tsx";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { JsonTree } from "#components/text/json-tree.tsx";
import { plainWordsOf } from "#components/text/markdown-nodes.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { isLive } from "#lib/client/live/is-live.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { RunDenials } from "./lazy-views.tsx";
import { failedTurnsWords, usageWords } from "./usage-words.ts";
import { useTurns } from "./use-turns.ts";

type RunFactsProps = {
  source: TraceSource;
  run: Run;
  totalLogs: number;
  /** The newest live entries. */
  recent: readonly LogEntry[];
};

const permissionModes: Record<Run["permission_mode"], string> = {
  auto: "Auto-approve",
  "read-only": "Read-only",
  ask: "Ask me",
};

const isolationWords: Record<NonNullable<Run["isolation"]>, string> = {
  wall: "Behind the wall",
  leash: "Not isolated",
};

/** Number of turns shown at first; the others are listed on demand. */
const turnsMax = 12;

/** Facts about a run, besides its steps. */
export function RunFacts({ source, run, totalLogs, recent }: RunFactsProps) {
  const turns = useTurns(source, run, totalLogs, recent);
  const [showsAllTurns, setShowsAllTurns] = useState(false);
  const prompt = useMemo(() => plainWordsOf(run.prompt.slice(0, 1_000)), [run.prompt]);
  const shownTurns = useMemo(() => {
    const shown = showsAllTurns || turns.length <= turnsMax + 1 ? turns : turns.slice(0, turnsMax);
    return shown.map(({ turn, seq, title }) => ({ turn, seq, title: firstLineOf(plainWordsOf(title.slice(0, 240))) }));
  }, [turns, showsAllTurns]);
  return (
    <dl className="grid content-start gap-4 text-[13px]">
      <Fact name="Prompt">
        <p dir="auto" className="line-clamp-6 whitespace-pre-wrap [overflow-wrap:anywhere]">
          <VisibleText text={prompt} />
        </p>
      </Fact>
      {totalLogs > 0 && (
        <Fact name={turns.length > 1 ? `Turns (${Math.max(run.turns - run.queued_turns, turns.length)})` : "Go to"}>
          <ol className="grid grid-cols-1 justify-items-start gap-1">
            {shownTurns.map(({ turn, seq, title }) => (
              <li key={seq} className="flex max-w-full">
                <StepLink seq={seq} className="min-w-0 max-w-full truncate">
                  {turn}. <VisibleText text={title} />
                </StepLink>
              </li>
            ))}
            {shownTurns.length < turns.length && (
              <li>
                <Button
                  variant="ghost"
                  size="sm"
                  className="-ml-2 text-muted-foreground"
                  onClick={() => setShowsAllTurns(true)}
                >
                  Show all {formatCount(turns.length)}
                </Button>
              </li>
            )}
            {!isLive(run) && (
              <li>
                <StepLink seq={totalLogs} className="min-w-0 max-w-full truncate">
                  {run.status === "completed" && run.result !== null ? "Answer" : "End"}
                </StepLink>
              </li>
            )}
          </ol>
        </Fact>
      )}
      {source.kind === "run" && run.isolation === "wall" && (
        <Suspense>
          <RunDenials orgId={source.orgId} run={run} />
        </Suspense>
      )}
      <About run={run} />
      <Figures run={run} totalLogs={totalLogs} isWhole={source.kind === "run"} />
      {Object.keys(run.metadata).length > 0 && (
        <Fact name="Metadata">
          <JsonTree value={run.metadata} label="Metadata" />
        </Fact>
      )}
    </dl>
  );
}

function firstLineOf(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 120) ?? "";
}

/** Repository and agent, which do not change while steps arrive. */
const About = memo(function About({ run }: { run: Run }) {
  // Another system runs the agent, so its location and permissions are unknown.
  const isExternal = run.agent === externalAgent;
  return (
    <>
      {(run.repo_full_name !== null || !isExternal) && (
        <Fact name="Repository">
          {run.repo_full_name === null ? (
            "No repository"
          ) : (
            <span className="[overflow-wrap:anywhere]">
              {run.repo_full_name}
              {run.base_branch !== null && <span className="text-muted-foreground"> from {run.base_branch}</span>}
            </span>
          )}
        </Fact>
      )}
      {run.branch !== null && (
        <Fact name="Branch">
          <span className="flex items-center gap-1">
            <code className="min-w-0 truncate">{run.branch}</code>
            <CopyButton text={run.branch} label="Copy branch name" className="-my-1.5 shrink-0" />
          </span>
          <span className="text-muted-foreground">The run's commits are on this branch of Errand's mirror.</span>
          {run.work_left_out > 0 && <LeftOutLink run={run} className="w-fit text-status-waiting" />}
        </Fact>
      )}
      <Fact name="Agent">
        {run.agent}
        {run.model !== null && (
          <span className="block text-muted-foreground [overflow-wrap:anywhere]">
            <VisibleText text={run.model} />
          </span>
        )}
      </Fact>
      <Fact name="Permissions">
        {isExternal ? "Set by the system that runs the agent" : permissionModes[run.permission_mode]}
      </Fact>
      {run.isolation !== null && <Fact name="Isolation">{isolationWords[run.isolation]}</Fact>}
      {run.user_name !== null && <Fact name="Started by">{run.user_name}</Fact>}
      <Fact name={run.started_at === null ? "Created" : "Started"}>
        <span title={`Created ${run.created_at}${run.finished_at === null ? "" : `\nFinished ${run.finished_at}`}`}>
          <RelativeTime at={run.started_at ?? run.created_at} />
          {run.started_at !== null && run.finished_at !== null && (
            <>
              , took <Duration run={run} />
            </>
          )}
        </span>
      </Fact>
      {run.banned_at !== null && (
        <Fact name="Banned">
          <RelativeTime at={run.banned_at} />
          <span className="text-muted-foreground">Pull request events no longer continue this run.</span>
        </Fact>
      )}
    </>
  );
});

function Figures({ run, totalLogs, isWhole }: { run: Run; totalLogs: number; isWhole: boolean }) {
  const failedTurns = failedTurnsWords(run);
  return (
    <Fact name="Stats">
      <ul className="tabular-nums">
        <li>{formatCountOf(totalLogs, "step")}</li>
        {usageWords(run, isWhole).map((words) => (
          <li key={words}>{words}</li>
        ))}
        {failedTurns !== null && <li>{failedTurns}</li>}
        {run.changes !== null && <li>{formatCountOf(run.changes.files, "file")} changed</li>}
      </ul>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <dt className="text-muted-foreground text-xs">{name}</dt>
      <dd className="grid min-w-0 gap-0.5">{children}</dd>
    </div>
  );
}
