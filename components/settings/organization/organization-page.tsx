"use client";

import { useQuery } from "@tanstack/react-query";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { OrganizationForm } from "./organization-form.tsx";

/** Settings for all runs of the organization. */
export function OrganizationPage() {
  const { id: orgId } = useOrganization();
  return (
    <DashboardPage title="Organization">
      <LoadedPart query={useQuery(settingsQuery(orgId))} what="the settings" heading="h2">
        {(settings) => (
          <div className="max-w-180">
            <OrganizationForm orgId={orgId} settings={settings} />
          </div>
        )}
      </LoadedPart>
    </DashboardPage>
  );
}
