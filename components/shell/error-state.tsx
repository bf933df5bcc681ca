"use client";

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { RequestId } from "#components/ui/alert.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { RetryButton } from "#components/ui/retry-button.tsx";

type ErrorStateProps = {
  title?: string;
  detail?: ReactNode;
  /** Request id, with which the operator finds the error in the log. */
  requestId?: string | null;
  onRetry?: () => void;
  /** `h1` if it is alone on the page. */
  heading?: "h1" | "h2" | "h3";
};

/** A page, or part of one, that could not be shown. */
export function ErrorState(props: ErrorStateProps) {
  const { title = "This page could not be loaded", detail, requestId, onRetry, heading = "h2" } = props;
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert />}
        heading={heading}
        title={title}
        description={detail}
        action={onRetry && <RetryButton onRetry={onRetry} />}
      >
        {requestId && <RequestId id={requestId} />}
      </EmptyState>
    </div>
  );
}
