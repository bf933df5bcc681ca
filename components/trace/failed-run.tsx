"use client";

import { useRouter } from "next/navigation";
import { ErrorState } from "#components/shell/page-states.tsx";

/** The run could not be read just now. */
export function FailedRun({ detail, requestId }: { detail: string; requestId: string | null }) {
  const router = useRouter();
  return (
    <ErrorState
      title="This run could not be loaded"
      detail={detail}
      requestId={requestId}
      onRetry={() => router.refresh()}
    />
  );
}
