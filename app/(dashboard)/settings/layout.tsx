import type { ReactNode } from "react";
import { findSession } from "#components/session/read-session.ts";
import { SettingsNav } from "#components/settings/settings-nav.tsx";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  // Without a session there are no links to show; the page redirects to the sign-in page.
  if ((await findSession()) === null) return children;
  return (
    <>
      <SettingsNav />
      {children}
    </>
  );
}
