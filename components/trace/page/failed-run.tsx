"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";

// Every page of a run loads this code, and few show it.
const ErrorState = lazy(() =>
  import("#components/shell/error-state.tsx").then((module) => ({ default: module.ErrorState })),
);

/** Shown if the run could not be loaded. */
export function FailedRun({ detail, requestId }: { detail: string; requestId: string | null }) {
  const router = useRouter();
  return (
    <Suspense>
      <ErrorState
        heading="h1"
        title="This run could not be loaded"
        detail={detail}
        requestId={requestId}
        onRetry={() => router.refresh()}
      />
    </Suspense>
  );
}
