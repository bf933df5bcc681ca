"use client";

import { lazy } from "react";

// What the page of a run does not need to show its steps is fetched when it is wanted.

export const ChangesTab = lazy(async () => ({
  default: (await import("#components/changes/changes-tab.tsx")).ChangesTab,
}));
export const TimelineTab = lazy(async () => ({
  default: (await import("#components/trace/timeline/timeline-view.tsx")).TimelineView,
}));
export const AnalysisTab = lazy(() => import("#components/runs/analysis/analysis-tab.tsx"));
export const RawTab = lazy(async () => ({ default: (await import("./raw-tab.tsx")).RawTab }));
export const QuestionPanel = lazy(async () => ({ default: (await import("./question-panel.tsx")).QuestionPanel }));
export const AcceptProposalBar = lazy(async () => ({
  default: (await import("#components/repositories/accept-proposal-bar.tsx")).AcceptProposalBar,
}));
export const RunDenials = lazy(async () => ({ default: (await import("./run-denials.tsx")).RunDenials }));
