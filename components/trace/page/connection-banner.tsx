"use client";

import { Unplug } from "lucide-react";
import { useEffect } from "react";
import { loginPath } from "#components/session/login-path.ts";
import { useIsServerLost } from "#components/shell/server-watch.ts";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import type { RunTail } from "#lib/client/live/use-run-tail.ts";

/** Shown while steps do not arrive live. */
export function ConnectionBanner({ tail }: { tail: Pick<RunTail, "state" | "error" | "retry"> }) {
  // In that case the banner at the top of the page says so.
  const isServerLost = useIsServerLost();
  if (tail.state === "refused" && tail.error?.status === 401) return <SignedOut />;
  if (tail.state === "refused") {
    return (
      <ErrorAlert
        title="Live updates have stopped"
        detail={tail.error?.message ?? "The server refused the connection."}
        requestId={tail.error?.requestId ?? null}
        onRetry={() => window.location.reload()}
        className="m-3"
      />
    );
  }
  return (
    <div role="status">
      {tail.state === "lost" && !isServerLost && (
        <p className="flex flex-wrap items-center justify-center gap-2 border-border border-b bg-muted px-4 py-1 text-[13px]">
          <Unplug aria-hidden className="size-4 shrink-0 text-status-waiting" />
          Connection lost. Reconnecting; no steps will be missed.
          <Button variant="link" size="sm" onClick={tail.retry}>
            Try now
          </Button>
        </p>
      )}
    </div>
  );
}

/** The session has ended: goes through the sign-in page and back to this place in the run. */
function SignedOut() {
  useEffect(() => {
    const { pathname, search } = window.location;
    window.location.assign(loginPath(pathname + search));
  }, []);
  return (
    <Alert variant="error" className="m-3">
      <AlertTitle>You are signed out</AlertTitle>
      <AlertDescription>Opening the sign-in page.</AlertDescription>
    </Alert>
  );
}
