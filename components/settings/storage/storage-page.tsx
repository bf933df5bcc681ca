"use client";

import { useQuery } from "@tanstack/react-query";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { storageQuery } from "#lib/client/pages/storage-queries.ts";
import { KeepForm } from "./keep-form.tsx";
import { StorageUse } from "./storage-use.tsx";

/** Disk usage, and limits on what is kept. */
export function StoragePage() {
  const { id: orgId } = useOrganization();
  return (
    <DashboardPage title="Storage">
      <div className="grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6">
        <Section
          id="use"
          title="Disk usage"
          note="Measured a few seconds after each run ends. The search index adds about 30% to the size of the logs."
        >
          <LoadedPart query={useQuery(storageQuery(orgId))} what="the disk usage">
            {(use) => <StorageUse use={use} />}
          </LoadedPart>
        </Section>
        <Section
          id="kept"
          title="Retention"
          note="Applied every ten minutes to runs that have ended. Runs are permanently deleted; the audit log records that they were."
        >
          <LoadedPart query={useQuery(settingsQuery(orgId))} what="the settings">
            {(settings) => <KeepForm {...{ orgId, settings }} />}
          </LoadedPart>
        </Section>
      </div>
    </DashboardPage>
  );
}
