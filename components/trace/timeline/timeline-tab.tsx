"use client";

import { lazy, Suspense } from "react";
import { Loading } from "#components/shell/loading.tsx";
import type { TimelineViewProps } from "./timeline-view.tsx";

const TimelineView = lazy(() => import("./timeline-view.tsx").then((module) => ({ default: module.TimelineView })));

/** What took a run's time. Its code is loaded when it is first shown. */
export function TimelineTab(props: TimelineViewProps) {
  return (
    <Suspense fallback={<Loading label="Loading the timeline" className="flex-1" />}>
      <TimelineView {...props} />
    </Suspense>
  );
}
