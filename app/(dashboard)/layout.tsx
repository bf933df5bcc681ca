import type { ReactNode } from "react";
import { DashboardShell } from "#components/session/dashboard-shell.tsx";
import { QueryProvider } from "#components/session/query-provider.tsx";
import { findSession } from "#components/session/read-session.ts";
import { SessionProvider } from "#components/session/session.tsx";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await findSession();
  // A layout does not know its path. The page itself redirects to the sign-in page, with the path to return to (requireSession).
  if (session === null) return children;
  const { transport: _, ...known } = session;
  return (
    <SessionProvider {...known}>
      <QueryProvider>
        <DashboardShell>{children}</DashboardShell>
      </QueryProvider>
    </SessionProvider>
  );
}
