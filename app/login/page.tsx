import { ChevronDown } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CommandLine } from "#components/page/command-line.tsx";
import { safeNextPath } from "#components/session/login-path.ts";
import { OidcButton } from "#components/session/oidc-button.tsx";
import { PasswordSignIn } from "#components/session/password-sign-in.tsx";
import { findSession } from "#components/session/read-session.ts";
import { SignIn } from "#components/session/sign-in.tsx";
import { SignInCard } from "#components/session/sign-in-card.tsx";
import { Mark } from "#components/shell/mark.tsx";
import { call } from "#lib/client/request.ts";
import { anonymousTransport, loginCommand } from "#lib/client/server-transport.ts";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function LoginPage({ searchParams }: Props) {
  const { code, next } = await searchParams;
  const nextPath = safeNextPath(typeof next === "string" ? next : null);
  const isSignedIn = (await findSession()) !== null;
  if (typeof code === "string" && code !== "") {
    return <SignIn code={code} next={nextPath} isSignedIn={isSignedIn} loginCommand={loginCommand()} />;
  }
  if (isSignedIn) redirect(nextPath);
  const oidc = await call("getOidc", {}, anonymousTransport);
  return (
    <SignInCard title="Sign in to Errand" icon={<Mark className="text-foreground" />}>
      {oidc.name !== null && <OidcButton name={oidc.name} next={nextPath} />}
      <PasswordSignIn next={nextPath} />
      <details className="group text-sm">
        <summary className="flex cursor-pointer list-none items-center justify-center gap-1 rounded-sm text-link underline-offset-4 hover:underline [&::-webkit-details-marker]:hidden">
          No password, or forgot it?
          <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
        </summary>
        <div className="grid gap-3 pt-3">
          <p>Ask an admin for a reset link. Or, on the machine that runs Errand, print a sign-in link:</p>
          <CommandLine command={loginCommand()} />
          <p>Open it in this browser. It works once, for 15 minutes.</p>
        </div>
      </details>
    </SignInCard>
  );
}
