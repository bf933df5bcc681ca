"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";

// Every page of a run names this program, and few show it.
const ErrorState = lazy(() =>
  import("#components/shell/error-state.tsx").then((module) => ({ default: module.ErrorState })),
);

/** The run could not be read just now. */
export function FailedRun({ detail, requestId }: { detail: string; requestId: string | null }) {
  const router = useRouter();
  return (
    <Suspense>
      <ErrorState
        title="This run could not be loaded"
        detail={detail}
        requestId={requestId}
        onRetry={() => router.refresh()}
      />
    </Suspense>
  );
}
