"use client";

import { type ComponentProps, lazy, Suspense } from "react";
import type * as acceptProposalBar from "#components/repositories/accept-proposal-bar.tsx";
import type { AnalysisTabProps } from "#components/runs/analysis/analysis-tab.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { Later } from "#components/ui/later.tsx";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import type * as changesTab from "./changes-tab.tsx";
import type * as goToStep from "./go-to-step.tsx";
import type * as questionPanel from "./question-panel.tsx";
import type * as queuedMessages from "./queue/queued-messages.tsx";
import type * as rawTab from "./raw-tab.tsx";

// What the page of a run does not need to show its steps is fetched when it is wanted.

const LazyChangesTab = lazy(() => import("./changes-tab.tsx").then(({ ChangesTab }) => ({ default: ChangesTab })));
const LazyAnalysisTab = lazy(() => import("#components/runs/analysis/analysis-tab.tsx"));
const LazyRawTab = lazy(() => import("./raw-tab.tsx").then(({ RawTab }) => ({ default: RawTab })));
const LazyQuestionPanel = lazy(() =>
  import("./question-panel.tsx").then(({ QuestionPanel }) => ({ default: QuestionPanel })),
);
const LazyAcceptProposalBar = lazy(() =>
  import("#components/repositories/accept-proposal-bar.tsx").then(({ AcceptProposalBar }) => ({
    default: AcceptProposalBar,
  })),
);
const queue = loadable(() => import("./queue/queued-messages.tsx").then(({ QueuedMessages }) => QueuedMessages));
const steps = loadable(() => import("./go-to-step.tsx"));

export function ChangesTab(props: ComponentProps<typeof changesTab.ChangesTab>) {
  return (
    <Suspense fallback={<Loading label="Loading the changes" className="flex-1" />}>
      <LazyChangesTab {...props} />
    </Suspense>
  );
}

export function AnalysisTab(props: AnalysisTabProps) {
  return (
    <Suspense fallback={<Loading label="Loading the analysis" className="flex-1" />}>
      <LazyAnalysisTab {...props} />
    </Suspense>
  );
}

export function RawTab(props: ComponentProps<typeof rawTab.RawTab>) {
  return (
    <Suspense fallback={<Loading label="Loading the entries" className="flex-1" />}>
      <LazyRawTab {...props} />
    </Suspense>
  );
}

export function QuestionPanel(props: ComponentProps<typeof questionPanel.QuestionPanel>) {
  return (
    <Suspense fallback={<Loading label="Loading the question" lines={2} />}>
      <LazyQuestionPanel {...props} />
    </Suspense>
  );
}

/** Comes with the page, and what is pressed before its program is there is done then. */
export function QueuedMessages(props: ComponentProps<typeof queuedMessages.QueuedMessages>) {
  return <Later part={queue} props={props} isWanted />;
}

export function AcceptProposalBar(props: ComponentProps<typeof acceptProposalBar.AcceptProposalBar>) {
  return (
    <Suspense>
      <LazyAcceptProposalBar {...props} />
    </Suspense>
  );
}

export function GoToStep(props: ComponentProps<typeof goToStep.GoToStep>) {
  const loaded = useLoaded(steps, props.open);
  return loaded && <loaded.GoToStep {...props} />;
}
