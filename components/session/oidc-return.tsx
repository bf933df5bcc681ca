"use client";

import { Link2Off } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { RequestId } from "#components/ui/alert.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { ClientError, describeError } from "#lib/client/client-error.ts";
import { finishOidcHere } from "#lib/client/pages/mutations.ts";
import { invitationCodeOf, loginPath, safeNextPath } from "./login-path.ts";
import { takeOidcAttempt } from "./oidc-attempt.ts";
import { SignInCard } from "./sign-in-card.tsx";

/** React runs effects twice in development, but a provider's response works once. */
let returning: Promise<string> | null = null;

async function finish(): Promise<string> {
  const attempt = takeOidcAttempt();
  if (attempt === null) {
    throw new ClientError("not_begun", "This sign-in was not started in this tab, or has expired. Start again.");
  }
  const next = safeNextPath(attempt.next);
  await finishOidcHere(window.location.search.slice(1), attempt.secret, invitationCodeOf(next));
  return next;
}

/** The page the sign-in provider redirects to: signs in and continues. */
export function OidcReturn() {
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    returning ??= finish();
    // A full page load: the server renders it for the new session, and the code leaves the history.
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
