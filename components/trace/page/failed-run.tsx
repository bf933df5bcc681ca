"use client";

import { useRouter } from "next/navigation";
import { Suspense } from "react";
import { lazyPart } from "#components/ui/use-loaded.ts";

// Every page of a run loads this code, and few show it.
const ErrorState = lazyPart(async () => (await import("#components/shell/error-state.tsx")).ErrorState);

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
