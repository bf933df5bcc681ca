"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { checkSettingsQuery, pullSettingsQuery } from "#lib/client/pages/pull-queries.ts";
import type { PullTarget } from "#lib/contract/repositories/pull-settings.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import { CheckSettingsForm } from "./check-settings-form.tsx";
import { PullSettingsForm } from "./pull-settings-form.tsx";

type PullSettingsSectionProps = { orgId: number; repository: Repository };

/** Settings of a repository for the pull requests of its runs, and for their checks. */
export function PullSettingsSection({ orgId, repository: { id: repoId } }: PullSettingsSectionProps) {
  const refusal = useRefusal("repos:write");
  const settings = useQuery(pullSettingsQuery(orgId, repoId));
  return (
    <>
      <Section
        id="pull-requests"
        title="Pull requests"
        note="When the work of this repository's runs is pushed, and how its pull requests are opened."
      >
        {refusal !== null && <p className="text-muted-foreground text-sm">{refusal}</p>}
        <LoadedPart query={settings} what="the settings for pull requests">
          {(loaded) => (
            <>
              <Target target={loaded.target} />
              <PullSettingsForm {...{ orgId, repoId, refusal }} settings={loaded} />
            </>
          )}
        </LoadedPart>
      </Section>
      <Section
        id="checks"
        title="Checks"
        note="Which failed checks of its pull requests are handed to the agent, and how often. Changes apply from the next round."
      >
        <LoadedPart query={useQuery(checkSettingsQuery(orgId, repoId))} what="the check settings">
          {(loaded) => <CheckSettingsForm {...{ orgId, repoId, refusal }} settings={loaded} />}
        </LoadedPart>
      </Section>
    </>
  );
}

/** Destination of the repository's pull requests. */
function Target({ target: { kind, type, connected } }: { target: PullTarget }) {
  if (kind !== "host" || type === null) {
    return (
      <p className="text-sm">
        {kind === "folder"
          ? "The source of this repository is a folder: branches are pushed there on request, without pull requests."
          : "The source of this repository is a plain git remote: branches are pushed there, without pull requests."}
      </p>
    );
  }
  const host = integrationTitles[type];
  if (connected) return <p className="text-sm">Pull requests are opened on {host}.</p>;
  return (
    <p className="text-sm">
      {host} is not connected. No pull requests are opened until an admin connects it under{" "}
      <Link href="/settings/integrations" className="text-link underline underline-offset-4 hover:no-underline">
        Integrations
      </Link>
      .
    </p>
  );
}
