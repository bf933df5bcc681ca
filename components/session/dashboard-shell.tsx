"use client";

import { type ReactNode, useEffect, useLayoutEffect, useMemo } from "react";
import { toastFailure } from "#components/page/toast-failure.ts";
import { AppShell } from "#components/shell/app-shell.tsx";
import { ConnectionWatch } from "#components/shell/offline-banner.tsx";
import { claimWriting, forgetWriting, writerKey } from "./personal-storage.ts";
import { useSession } from "./session.tsx";
import { showSwitchMessage, switchFromMenu } from "./switch-organization.ts";

/** Frame of every page of the dashboard. */
export function DashboardShell({ children }: { children: ReactNode }) {
  const { user, organization, organizations: all, isInstanceOwner, role } = useSession();
  const organizations = useMemo(
    () => ({
      current: organization,
      all,
      mayCreate: isInstanceOwner,
      onSwitch(id: number) {
        const chosen = all.find((one) => one.id === id);
        if (chosen !== undefined) void switchFromMenu(chosen);
      },
    }),
    [organization, all, isInstanceOwner],
  );
  useEffect(showSwitchMessage, []);
  useOwnWriting(user.id);
  return (
    <AppShell
      organizations={organizations}
      role={role}
      userName={user.full_name ?? user.email ?? user.github_username}
      userEmail={user.email ?? ""}
      onSignOut={() => void leave()}
    >
      <ConnectionWatch />
      {children}
    </AppShell>
  );
}

/** Nobody is shown what somebody else wrote in this browser; a page of the person who was signed in before is loaded again. */
function useOwnWriting(userId: number): void {
  // Before the effects that read what is stored.
  useLayoutEffect(() => {
    tryStorage((storage) => claimWriting(storage, userId));
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === writerKey && newValue !== null && newValue !== String(userId)) window.location.reload();
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, [userId]);
}

function tryStorage(work: (storage: Storage) => void): void {
  try {
    work(localStorage);
  } catch {
    // If storage is refused, nothing is stored.
  }
}

async function leave(): Promise<void> {
  try {
    await (await import("#lib/client/pages/mutations.ts")).signOutHere();
    tryStorage(forgetWriting);
    // A full page load: nothing read in the session stays in memory.
    window.location.assign("/login");
  } catch (error) {
    toastFailure("Could not sign out")(error);
  }
}
