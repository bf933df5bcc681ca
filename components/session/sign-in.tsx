"use client";

import { CircleCheck, Link2Off } from "lucide-react";
import { useEffect, useState } from "react";
import { CommandLine } from "#components/page/command-line.tsx";
import { RequestId } from "#components/ui/alert.tsx";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { signInWith } from "#lib/client/pages/mutations.ts";
import { loginPath } from "./login-path.ts";
import { SignInCard } from "./sign-in-card.tsx";

/** A code works once, but React runs effects twice in development: send one request per code. */
const attempts = new Map<string, Promise<unknown>>();

type SignInProps = {
  code: string;
  /** Path to go to afterwards, within this site. */
  next: string;
  /** Somebody is already signed in with this browser. */
  isSignedIn: boolean;
  /** Prints another link, on the machine that runs the service. */
  loginCommand: string;
};

/** Signs the browser in with the code in its address, and continues. */
export function SignIn({ code, next, isSignedIn, loginCommand }: SignInProps) {
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isShown = true;
    const key = `${attempt} ${code}`;
    const signingIn = attempts.get(key) ?? signInWith(code);
    attempts.set(key, signingIn);
    signingIn.then(
      // A full page load: the server renders it for the new session, and the code leaves the history.
      () => isShown && window.location.replace(next),
      (cause: unknown) => isShown && setError(cause),
    );
    return () => {
      isShown = false;
    };
  }, [code, next, attempt]);

  if (error === null) {
    return (
      <SignInCard title="Signing you in" icon={<Spinner label="Signing in" className="size-6" />}>
        <noscript>Signing in needs JavaScript.</noscript>
      </SignInCard>
    );
  }
  const isUsed = fieldMessages(error, ["code"]).code !== undefined;
  const { detail, requestId } = describeError(error);
  return (
    <SignInCard title={isUsed ? "This link has been used or has expired" : "Could not sign you in"} icon={<Link2Off />}>
      <div role="alert" className="grid gap-3">
        {isUsed ? (
          <>
            <p>Print a new one on the machine that runs Errand. It works once, for 15 minutes.</p>
            <CommandLine command={loginCommand} />
          </>
        ) : (
          <p>{detail}</p>
        )}
        {requestId !== null && <RequestId id={requestId} />}
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {!isUsed && (
          <Button
            onClick={() => {
              setError(null);
              setAttempt(attempt + 1);
            }}
          >
            Try again
          </Button>
        )}
        {isUsed && !isSignedIn && (
          <a href={loginPath(next)} className={buttonClasses({ variant: "outline" })}>
            Sign in another way
          </a>
        )}
        {isSignedIn && (
          <a href={next} className={buttonClasses({ variant: "outline" })}>
            <CircleCheck aria-hidden /> You are signed in: continue
          </a>
        )}
      </div>
    </SignInCard>
  );
}
