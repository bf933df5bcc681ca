"use client";

import { ErrorState } from "#components/shell/error-state.tsx";
import { describeError } from "#lib/client/client-error.ts";

export type FailedPageProps = { error: unknown; retry: () => void };

/** A page that threw, on the server or in the browser: the error as far as it is known, and a retry button. */
export function FailedPage({ error, retry }: FailedPageProps) {
  const digest = findDigest(error);
  // Next replaces the messages of server errors; only the digest remains.
  const { detail, requestId } =
    digest === null ? describeError(error) : { detail: "The server could not render this page.", requestId: digest };
  return <ErrorState heading="h1" detail={detail} requestId={requestId} onRetry={retry} />;
}

function findDigest(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("digest" in error)) return null;
  return typeof error.digest === "string" ? error.digest : null;
}
