"use client";

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { RequestId } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

type ErrorStateProps = {
  title?: string;
  detail?: ReactNode;
  /** What the operator searches the log by. */
  requestId?: string | null;
  onRetry?: () => void;
};

/** A page that could not be shown. */
export function ErrorState({ title = "This page could not be loaded", detail, requestId, onRetry }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert />}
        heading="h1"
        title={title}
        description={detail}
        action={
          onRetry && (
            <Button variant="outline" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </div>
  );
}
