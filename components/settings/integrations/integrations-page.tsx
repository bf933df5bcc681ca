"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { integrationsQuery } from "#lib/client/pages/integration-queries.ts";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";
import { ConnectDialog } from "./connect-dialog.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { IntegrationRow } from "./integration-row.tsx";
import { OtherIntegrations } from "./other-integrations.tsx";
import { PeopleDialog } from "./people-dialog.tsx";

/** Integrations of the organization: code hosts, chats, trackers. */
export function IntegrationsPage() {
  const { id: orgId } = useOrganization();
  const integrations = useQuery(integrationsQuery(orgId));
  const [connecting, setConnecting] = useState<string | null>(null);
  const [people, setPeople] = useState<IntegrationStatus | null>(null);
  const [disconnected, setDisconnected] = useState<IntegrationStatus | null>(null);
  const listed = integrations.data?.integrations ?? [];
  return (
    <DashboardPage title="Integrations">
      <p className="max-w-180 text-muted-foreground">
        Once a service is connected, people can mention <code className="text-[13px]">@errand</code> where they already
        talk: in an issue, a pull request or a channel. Errand starts a run and answers there.
      </p>
      <LoadedPart query={integrations} what="the integrations" lines={5} heading="h2">
        {() => (
          <>
            <ul aria-label="Integrations" className="border-border border-t">
              {listed
                .filter(({ metadata }) => metadata.connected !== undefined)
                .map((integration) => (
                  <IntegrationRow
                    key={integration.integration_type}
                    integration={integration}
                    onPeople={() => setPeople(integration)}
                    onConnect={() => setConnecting(integration.integration_type)}
                    onDisconnect={() => setDisconnected(integration)}
                  />
                ))}
            </ul>
            <OtherIntegrations listed={listed} />
          </>
        )}
      </LoadedPart>
      <ConnectDialog
        integration={listed.find(({ integration_type }) => integration_type === connecting) ?? null}
        onClose={() => setConnecting(null)}
      />
      <PeopleDialog integration={people} onClose={() => setPeople(null)} />
      {disconnected !== null && <DisconnectDialog integration={disconnected} onClose={() => setDisconnected(null)} />}
    </DashboardPage>
  );
}
