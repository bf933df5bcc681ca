"use client";

import { useQuery } from "@tanstack/react-query";
import { Footprints, SearchX } from "lucide-react";
import { CommandLine } from "#components/page/command-line.tsx";
import { RefusableLink } from "#components/page/refusable-button.tsx";
import { useRefusal, useSession } from "#components/session/session.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { repositoriesQuery } from "#lib/client/pages/queries.ts";
import { createRunCommand } from "./create-run-command.ts";

/** The list before the first run: what a run is, and the two ways to start one. */
export function NoRuns() {
  const { organization, origin } = useSession();
  const refusal = useRefusal("runs:write");
  const [first] = useQuery(repositoriesQuery(organization.id)).data?.items ?? [];
  const body = { prompt: "Survey this repository", ...(first !== undefined && { repo_id: first.id }) };
  return (
    <EmptyState
      icon={<Footprints />}
      title="No runs yet"
      description="A run sends a coding agent to work in a checkout of your repository, and shows every step it takes."
      action={
        <RefusableLink href="/runs/new" refusal={refusal}>
          Start the first run
        </RefusableLink>
      }
      className="max-w-xl"
    >
      <div className="grid w-full gap-1.5 pt-4 text-muted-foreground text-sm">
        <p>
          Or with the API, using a token from the settings
          {first === undefined
            ? ". Without repo_id a run works in an empty repository:"
            : ` (${first.full_name} is repository ${first.id}):`}
        </p>
        <CommandLine command={createRunCommand(origin, organization.id, body)} />
      </div>
    </EmptyState>
  );
}

/** Nothing matches the filter. The filter row above can clear it. */
export function NoRunsMatch() {
  return (
    <EmptyState icon={<SearchX />} title="No matching runs" description="Remove a filter, or search for other words." />
  );
}
