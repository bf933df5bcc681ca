"use client";

import { useQuery } from "@tanstack/react-query";
import { KeysSection } from "#components/agent-keys/keys-section.tsx";
import { RecentDenials } from "#components/network/recent-denials.tsx";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { useOrganization, useRefusal, useSession } from "#components/session/session.tsx";
import { isolationQuery } from "#lib/client/pages/isolation-queries.ts";
import { AgentsSection } from "./agents-section.tsx";
import { MachineState } from "./machine-section.tsx";
import { NetworkSection } from "./network-section.tsx";

/** Access of agents: the wall, the network, refused connections, keys. */
export function IsolationPage() {
  const { id: orgId } = useOrganization();
  const { role } = useSession();
  const isAdmin = useRefusal("org:admin") === null;
  return (
    <DashboardPage title="Isolation">
      <div className="grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6">
        {!isAdmin && (
          <p className="text-muted-foreground text-sm">
            Your role here is {role}. Only admins and owners can change these settings.
          </p>
        )}
        <Section id="machine" title="This machine">
          <LoadedPart query={useQuery(isolationQuery(orgId))} what="the state of the machine">
            {({ machine }) => <MachineState machine={machine} />}
          </LoadedPart>
        </Section>
        <AgentsSection orgId={orgId} />
        <NetworkSection orgId={orgId} />
        <Section id="denials" title="Refused connections" note="Hosts that agents tried to reach and could not.">
          <RecentDenials orgId={orgId} repoId={null} />
        </Section>
        {isAdmin && <KeysSection orgId={orgId} repoId={null} />}
      </div>
    </DashboardPage>
  );
}
