"use client";

import { Link2Off } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { RequestId } from "#components/ui/alert.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { ClientError, describeError } from "#lib/client/client-error.ts";
import { finishOidcHere } from "#lib/client/mutations.ts";
import { loginPath, safeNextPath } from "./login-path.ts";
import { takeOidcAttempt } from "./oidc-attempt.ts";
import { SignInCard } from "./sign-in-card.tsx";

/** React runs effects twice in development, and the answer of a provider works once. */
let returning: Promise<string> | null = null;

async function finish(): Promise<string> {
  const attempt = takeOidcAttempt();
  if (attempt === null) {
    throw new ClientError("not_begun", "This sign-in was not begun in this tab, or is over. Begin again.");
  }
  await finishOidcHere(window.location.search.slice(1), attempt.secret);
  return safeNextPath(attempt.next);
}

/** Where the sign-in provider leads back to: signs in and goes on. */
export function OidcReturn() {
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    returning ??= finish();
    // The whole page anew: the server renders it for the new session, and the code leaves the history.
    returning.then((next) => window.location.replace(next), setError);
  }, []);

  if (error === null) {
    return (
      <SignInCard title="Signing you in" icon={<Spinner label="Signing in" className="size-6" />}>
        <noscript>Signing in needs JavaScript.</noscript>
      </SignInCard>
    );
  }
  const { detail, requestId } = describeError(error);
  return (
    <SignInCard title="Could not sign you in" icon={<Link2Off />}>
      <div role="alert" className="grid gap-3">
        <p>{detail}</p>
        {requestId !== null && <RequestId id={requestId} />}
      </div>
      <div className="flex justify-center">
        <Link href={loginPath("/runs")} className={buttonClasses({ variant: "outline" })}>
          Sign in again
        </Link>
      </div>
    </SignInCard>
  );
}
