"use client";

import { useQuery } from "@tanstack/react-query";
import { KeysSection } from "#components/agent-keys/keys-section.tsx";
import { HostRules } from "#components/network/host-rules.tsx";
import { NetworkModeForm } from "#components/network/network-mode.tsx";
import { RecentDenials } from "#components/network/recent-denials.tsx";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { networkQuery, repositoryNetworkQuery } from "#lib/client/pages/isolation-queries.ts";

/** Network rules for agents of a repository's runs, their refused connections, and their keys. */
export function RepositoryIsolation({ orgId, repoId }: { orgId: number; repoId: number }) {
  const mayChange = useRefusal("org:admin") === null;
  const place = { orgId, repoId };
  const organization = useQuery(networkQuery(orgId));
  return (
    <>
      <Section
        id="network"
        title="Network"
        note="What agents behind the wall may reach in this repository's runs. Hosts allowed here add to the organization's."
      >
        <LoadedPart query={useQuery(repositoryNetworkQuery(orgId, repoId))} what="the network rules">
          {({ network, in_force, rules }) => (
            <>
              <NetworkModeForm
                {...{ place, mayChange }}
                mode={network}
                inherited={organization.data?.network ?? in_force}
              />
              <h3 className="font-medium text-sm">Allowed hosts</h3>
              <HostRules {...{ place, rules, mayChange }} />
            </>
          )}
        </LoadedPart>
      </Section>
      <Section
        id="denials"
        title="Refused connections"
        note="Hosts that agents in its runs tried to reach but were refused."
      >
        <RecentDenials {...place} />
      </Section>
      {mayChange && <KeysSection {...place} />}
    </>
  );
}
