"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isTerminalSession } from "#components/runs/of-terminal.ts";
import { useRefusal, useSession } from "#components/session/session.tsx";
import { Loading } from "#components/shell/loading.tsx";
import type { PageSearch } from "#components/trace/reader/address-bar.ts";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { clipCharacters, openingOf, windowSize } from "#components/trace/reader/log-windows.ts";
import { RetryContext } from "#components/trace/reader/retry-context.ts";
import { TraceProvider } from "#components/trace/reader/trace-context.tsx";
import { usePageSearch } from "#components/trace/reader/use-page-search.ts";
import { useTraceReader } from "#components/trace/reader/use-trace-reader.ts";
import { TraceFeed } from "#components/trace/steps/trace-feed.tsx";
import { cn } from "#components/ui/class-names.ts";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useRunTail } from "#lib/client/live/use-run-tail.ts";
import { traceRunQuery } from "#lib/client/pages/run-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { fromPassed, type Passed } from "#lib/contract/exact-json.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { AcceptProposalBar, AnalysisTab, ChangesTab, QuestionPanel, RawTab, TimelineTab } from "./lazy-views.tsx";
import { Pane } from "./pane.tsx";
import type { SentMessage } from "./queue/sent-message.ts";
import { RunHeader } from "./run-header.tsx";
import { Composer, QueuedMessages, RunActions, RunFacts, useRenderParts } from "./run-islands.tsx";
import { RunTabs } from "./run-tabs.tsx";

/** One run, followed live: header, steps, changes, and the composer. */
export function RunView({ run: passed }: { run: Passed<Run> }) {
  const given = useMemo(() => fromPassed(passed), [passed]);
  useRenderParts();
  const { organization, origin } = useSession();
  const orgId = organization.id;
  const isElsewhere = given.organization_id !== orgId;
  useEffect(() => {
    // The person has switched in another tab: the dashboard around this run is still that of the other organization.
    if (isElsewhere) window.location.reload();
  }, [isElsewhere]);
  const [source] = useState<TraceSource>({ kind: "run", orgId, runId: given.id });
  const first = useNewest(source, given);
  const tail = useRunTail({ source, run: first, clip: clipCharacters, windowSize });
  const { run, totalLogs, follow } = tail;
  const refusal = useRefusal("runs:write");
  const search = usePageSearch();
  const { tab } = search;
  const [opening] = useState(() => openingOf(parseEntry(search.entry), isLive(first), first.total_logs));
  const reader = useTraceReader(search);
  const composer = useRef<HTMLElement>(null);
  const composerRef = useCallback((element: HTMLElement | null) => {
    composer.current = element;
  }, []);
  // Stays while the last waiting message is on its way into the log.
  const [hadQueue, setHadQueue] = useState(run.queued_turns > 0);
  if (run.queued_turns > 0 && !hadQueue) setHadQueue(true);
  const [sent, setSent] = useState<SentMessage | null>(null);
  const startedAt = run.started_at ?? run.created_at;

  // These stay the same while steps arrive, so that their components do not render again.
  const onRun = useCallback(
    (answer: Run) => {
      follow(answer);
      if (isLive(answer) && tab === "trace") reader.toEnd();
    },
    [follow, tab, reader],
  );
  const onSent = useCallback(
    (answer: Run, prompt: string) => {
      // In a run of another system a message is a step at once, which the answer counts already.
      setSent(answer.agent === externalAgent ? null : { prompt, after: answer.total_logs });
      onRun(answer);
    },
    [onRun],
  );
  const onLeave = useCallback(() => composer.current?.querySelector("textarea")?.focus(), []);
  const onShow = useCallback((next: PageSearch["tab"]) => reader.showTab(next), [reader]);
  const facts = <RunFacts {...{ source, run, totalLogs }} recent={tail.recent} />;
  return (
    <TraceProvider {...{ source, reader }} startedAtMs={Date.parse(startedAt)}>
      <div className="flex h-[calc(100dvh-var(--bottom-bar))] min-w-0 flex-col">
        <RunHeader
          run={run}
          totalLogs={totalLogs}
          actions={<RunActions {...{ orgId, run, refusal }} onRun={follow} />}
          tabs={<RunTabs current={tab} changes={run.changes} onShow={onShow} />}
        />
        <ConnectionBanner tail={tail} />
        <div className="flex min-h-0 flex-1">
          {/* Where no details are shown, the composer keeps the place it has beside them. */}
          <div className={cn("flex min-w-0 flex-1 flex-col", tab !== "trace" && "xl:[--details:--spacing(72)]")}>
            <Pane tab="trace" current={tab}>
              <RetryContext value={isLive(run) || refusal !== null ? null : { run, onRun: onSent }}>
                <TraceFeed
                  {...{ source, run, tail, opening, search, reader }}
                  mayResume={refusal === null && !isTerminalSession(run)}
                  header={
                    <details className="border-border border-b px-4 py-2 xl:hidden">
                      <summary className="w-fit rounded-sm text-[13px] text-muted-foreground hover:text-foreground">
                        Details of the run
                      </summary>
                      <div className="py-3">{facts}</div>
                    </details>
                  }
                />
              </RetryContext>
            </Pane>
            <Pane tab="changes" current={tab}>
              <ChangesTab
                {...{ orgId, run, origin, source, totalLogs, refusal }}
                isShown={tab === "changes"}
                onRun={onSent}
              />
            </Pane>
            <Pane tab="timeline" current={tab} loading="Loading the timeline">
              <TimelineTab tail={tail} isShown={tab === "timeline"} />
            </Pane>
            <Pane tab="analysis" current={tab} loading="Loading the analysis">
              <AnalysisTab {...{ orgId, run, totalLogs, refusal }} isShown={tab === "analysis"} />
            </Pane>
            <Pane tab="raw" current={tab} loading="Loading the entries">
              <RawTab source={source} tail={tail} />
            </Pane>
            {run.status === "waiting" && run.question !== null && (
              <Suspense key={run.question.id} fallback={<Loading label="Loading the question" lines={2} />}>
                <QuestionPanel {...{ orgId, refusal, onRun }} runId={run.id} question={run.question} />
              </Suspense>
            )}
            {(hadQueue || sent !== null) && (
              <QueuedMessages
                {...{ orgId, run, totalLogs, refusal, sent }}
                recent={tail.recent}
                onRun={follow}
                onSent={onRun}
                onLeave={onLeave}
              />
            )}
            {run.source_type === "SETUP_COMMANDS" && run.repo_id !== null && !isLive(run) && (
              <Suspense>
                <AcceptProposalBar orgId={orgId} repoId={run.repo_id} runId={run.id} />
              </Suspense>
            )}
            <Composer boxRef={composerRef} {...{ orgId, run, refusal }} onRun={onSent} />
          </div>
          {tab === "trace" && (
            <aside
              aria-label="Details of the run"
              className="hidden w-72 shrink-0 overflow-y-auto border-border border-l p-4 xl:block"
              {...scrolledByKeyboard}
            >
              {facts}
            </aside>
          )}
        </div>
      </div>
    </TraceProvider>
  );
}

/** The run from the page, or newer live data: going back to a page may bring an old one. */
function useNewest(source: TraceSource, given: Run): Run {
  const client = useQueryClient();
  const [newest] = useState(() => {
    const seen = client.getQueryData(traceRunQuery(source).queryKey);
    return seen !== undefined && seen.total_logs > given.total_logs ? seen : given;
  });
  return newest;
}
