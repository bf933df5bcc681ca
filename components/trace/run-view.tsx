"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useRefusal, useSession } from "#components/session/session.tsx";
import { isLive } from "#lib/client/is-live.ts";
import { traceRunQuery } from "#lib/client/run-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { useRunTail } from "#lib/client/use-run-tail.ts";
import type { Run } from "#lib/contract/run.ts";
import { Composer, ConnectionBanner, RunActions, RunFacts, usePartsToDraw } from "./later-parts.tsx";
import { AcceptProposalBar, AnalysisTab, ChangesTab, QuestionPanel, QueuedMessages, RawTab } from "./lazy-views.tsx";
import { clipCharacters, openingOf, parseEntry, windowSize } from "./log-windows.ts";
import { isOfTerminal } from "./of-terminal.ts";
import { Pane } from "./pane.tsx";
import type { SentMessage } from "./queue/sent-message.ts";
import { useTraceReader } from "./reader/use-trace-reader.ts";
import { RunHeader } from "./run-header.tsx";
import { RunTabs } from "./run-tabs.tsx";
import { TimelineTab } from "./timeline/timeline-tab.tsx";
import { TraceProvider } from "./trace-context.tsx";
import { TraceFeed } from "./trace-feed.tsx";
import { type PageSearch, usePageSearch } from "./use-page-search.ts";

/** One run, followed live: what it is, its steps, what it changed, and where the next turn is written. */
export function RunView({ run: given }: { run: Run }) {
  usePartsToDraw();
  const { organization, origin } = useSession();
  const orgId = organization.id;
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
  // It stays while the last message that waited is on its way into the log.
  const [hadQueue, setHadQueue] = useState(run.queued_turns > 0);
  if (run.queued_turns > 0 && !hadQueue) setHadQueue(true);
  const [sent, setSent] = useState<SentMessage | null>(null);
  const startedAt = run.started_at ?? run.created_at;

  // These stay the same while steps come: what is given them is not rendered again.
  const onRun = useCallback(
    (answer: Run) => {
      follow(answer);
      if (isLive(answer) && tab === "trace") reader.toEnd();
    },
    [follow, tab, reader],
  );
  const onSent = useCallback(
    (answer: Run, prompt: string) => {
      setSent({ prompt, after: answer.total_logs });
      onRun(answer);
    },
    [onRun],
  );
  const onResume = useCallback(() => composer.current?.querySelector("textarea")?.focus(), []);
  const onShow = useCallback((next: PageSearch["tab"]) => reader.showTab(next), [reader]);
  const goTo = useCallback((seq: number) => reader.open(seq), [reader]);
  const facts = <RunFacts {...{ source, run, totalLogs }} recent={tail.recent} onGoTo={goTo} />;
  return (
    <TraceProvider source={source} startedAtMs={Date.parse(startedAt)}>
      <div className="flex h-[calc(100dvh-var(--bottom-bar))] min-w-0 flex-col">
        <RunHeader
          run={run}
          totalLogs={totalLogs}
          actions={<RunActions {...{ orgId, run, refusal, onResume }} onRun={follow} />}
          tabs={<RunTabs current={tab} changes={run.changes} onShow={onShow} />}
        />
        <ConnectionBanner tail={tail} />
        <div className="flex min-h-0 flex-1">
          <div className="flex min-w-0 flex-1 flex-col">
            <Pane tab="trace" current={tab}>
              <TraceFeed
                {...{ source, run, tail, opening, search, reader }}
                mayResume={refusal === null && !isOfTerminal(run)}
                header={
                  <details className="border-border border-b px-4 py-2 xl:hidden">
                    <summary className="w-fit rounded-sm text-[13px] text-muted-foreground hover:text-foreground">
                      Details of the run
                    </summary>
                    <div className="py-3">{facts}</div>
                  </details>
                }
              />
            </Pane>
            <Pane tab="changes" current={tab}>
              <ChangesTab {...{ orgId, run, origin, source, totalLogs }} onGoTo={goTo} />
            </Pane>
            <Pane tab="timeline" current={tab}>
              <TimelineTab tail={tail} isShown={tab === "timeline"} onGoTo={goTo} />
            </Pane>
            <Pane tab="analysis" current={tab}>
              <AnalysisTab {...{ orgId, run, totalLogs, refusal }} isShown={tab === "analysis"} onGoTo={goTo} />
            </Pane>
            <Pane tab="raw" current={tab}>
              <RawTab source={source} tail={tail} />
            </Pane>
            {run.status === "waiting" && run.question !== null && (
              <QuestionPanel
                key={run.question.id}
                {...{ orgId, refusal, onRun }}
                runId={run.id}
                question={run.question}
              />
            )}
            {(hadQueue || sent !== null) && (
              <QueuedMessages
                {...{ orgId, run, totalLogs, refusal, sent }}
                recent={tail.recent}
                onRun={follow}
                onSent={onRun}
                onLeave={onResume}
              />
            )}
            {run.source_type === "SETUP_COMMANDS" && run.repo_id !== null && !isLive(run) && (
              <AcceptProposalBar orgId={orgId} repoId={run.repo_id} runId={run.id} />
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

/** What scrolls must be reachable by the keyboard. */
const scrolledByKeyboard = { tabIndex: 0 };

/** The run as the page was given it, or as it was seen live since: a page that is gone back to may bring an old one. */
function useNewest(source: TraceSource, given: Run): Run {
  const client = useQueryClient();
  const [newest] = useState(() => {
    const seen = client.getQueryData(traceRunQuery(source).queryKey);
    return seen !== undefined && seen.total_logs > given.total_logs ? seen : given;
  });
  return newest;
}
