"use client";

import { useState } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { startOidcHere } from "#lib/client/mutations.ts";
import { keepOidcAttempt } from "./oidc-attempt.ts";

/** Leads to the sign-in provider; `next` is where to go when the person is back and signed in. */
export function OidcButton({ name, next }: { name: string; next: string }) {
  const [error, setError] = useState<unknown>(null);
  const [isLeaving, setLeaving] = useState(false);

  async function leave() {
    setLeaving(true);
    setError(null);
    try {
      const { url, browser_secret } = await startOidcHere();
      keepOidcAttempt({ secret: browser_secret, next });
      window.location.assign(url);
    } catch (cause) {
      setError(cause);
      setLeaving(false);
    }
  }

  return (
    <div className="grid gap-3 text-left">
      <Button size="lg" className="w-full" pending={isLeaving} onClick={() => void leave()}>
        Sign in with {name}
      </Button>
      {error !== null && <ErrorAlert title="Could not begin" {...describeError(error)} />}
    </div>
  );
}
