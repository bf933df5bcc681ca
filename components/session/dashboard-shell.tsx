"use client";

import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { OfflineBanner } from "#components/shell/page-states.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useSignOut } from "#lib/client/mutations.ts";
import { useSession } from "./session.tsx";

/** What stands around every page of the dashboard. */
export function DashboardShell({ children }: { children: ReactNode }) {
  const { user, organization } = useSession();
  const signOut = useSignOut();
  const onSignOut = () =>
    signOut.mutate(undefined, {
      // A whole new page: nothing that was read in the session stays in memory.
      onSuccess: () => window.location.assign("/login"),
      onError: (error) =>
        toast({ tone: "error", title: "You are still signed in", description: describeError(error).detail }),
    });
  return (
    <AppShell
      organizationName={organization.name}
      userName={user.full_name ?? user.email ?? user.github_username}
      userEmail={user.email ?? ""}
      onSignOut={onSignOut}
    >
      <OfflineBanner />
      {children}
    </AppShell>
  );
}
