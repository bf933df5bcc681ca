"use client";

import type { ComponentProps } from "react";
import { Loading } from "#components/shell/loading.tsx";
import { lazyPart, loadable, useLoaded } from "#components/ui/use-loaded.ts";

// Parts of a run's page that are not needed to show its steps load on demand.

const changes = loadable(async () => (await import("#components/changes/changes-tab.tsx")).ChangesTab);

/** Does not suspend: after a fallback, React delays the content by 300 ms, and the diff would only be requested then. */
export function ChangesTab(props: ComponentProps<typeof import("#components/changes/changes-tab.tsx").ChangesTab>) {
  const Tab = useLoaded(changes, true);
  return Tab === null ? <Loading label="Loading the changes" className="flex-1" /> : <Tab {...props} />;
}
export const TimelineTab = lazyPart(
  async () => (await import("#components/trace/timeline/timeline-view.tsx")).TimelineView,
);
export const AnalysisTab = lazyPart(async () => (await import("#components/runs/analysis/analysis-tab.tsx")).default);
export const RawTab = lazyPart(async () => (await import("./raw-tab.tsx")).RawTab);
export const QuestionPanel = lazyPart(async () => (await import("./question-panel.tsx")).QuestionPanel);
export const AcceptProposalBar = lazyPart(
  async () => (await import("#components/repositories/accept-proposal-bar.tsx")).AcceptProposalBar,
);
export const RunDenials = lazyPart(async () => (await import("./run-denials.tsx")).RunDenials);
