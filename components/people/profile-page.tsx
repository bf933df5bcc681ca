"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { useSession } from "#components/session/session.tsx";
import { meQuery } from "#lib/client/pages/people-queries.ts";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { RulesForm } from "./rules-form.tsx";
import { SessionRows } from "./session-rows.tsx";

/** The person's own name, address, password, rules and sessions. */
export function ProfilePage() {
  const { user } = useSession();
  const me = useQuery(meQuery()).data ?? user;
  const hasPassword = me.sign_in_ways.includes("password");
  return (
    <DashboardPage title="Profile">
      <div className="grid max-w-180 gap-4">
        <ProfileForm me={me} hasPassword={hasPassword} />
        <Section title="Password" id="password-title">
          <PasswordForm hasPassword={hasPassword} hasEmail={me.email !== null} />
        </Section>
        <Section title="Rules for agents" id="rules-title">
          <RulesForm />
        </Section>
        <Section title="Where you are signed in" id="sessions-title">
          <SessionRows />
        </Section>
      </div>
    </DashboardPage>
  );
}

function Section({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-3 border-border border-t pt-4">
      <h2 id={id} className="font-semibold text-base/6">
        {title}
      </h2>
      {children}
    </section>
  );
}
