"use client";

import { type ComponentType, lazy, Suspense } from "react";
import type { FailedPageProps } from "./failed-page.tsx";

const FailedPage = lazy(async (): Promise<{ default: ComponentType<FailedPageProps> }> => {
  try {
    return { default: (await import("./failed-page.tsx")).FailedPage };
  } catch {
    return { default: BareFailure };
  }
});

/** Stands in for a page that threw. Every page has it and few ever show it, so its code is loaded on demand. */
export function LazyFailedPage(props: FailedPageProps) {
  return (
    <Suspense>
      <FailedPage {...props} />
    </Suspense>
  );
}

/** Shown if even that code cannot be loaded. */
function BareFailure({ retry }: FailedPageProps) {
  return (
    <div role="alert" className="grid justify-items-center gap-2 p-8">
      <h1 className="font-medium text-base">This page could not be loaded</h1>
      <button type="button" className="text-link underline" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
