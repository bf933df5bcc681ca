"use client";

import { useState } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { startOidcHere } from "#lib/client/pages/mutations.ts";
import { keepOidcAttempt } from "./oidc-attempt.ts";

/** Button that goes to the sign-in provider; `next` is where to go afterwards. */
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
      {error !== null && <ErrorAlert title="Sign-in could not be started" {...describeError(error)} />}
    </div>
  );
}
