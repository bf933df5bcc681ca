"use client";

import { Footprints, SearchX } from "lucide-react";
import { CommandLine } from "#components/page/command-line.tsx";
import { RefusableLink } from "#components/page/refusable-button.tsx";
import { useRefusal, useSession } from "#components/session/session.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { createRunCommand } from "./create-run-command.ts";

/** The list before the first run: what a run is, and the two ways to start one. */
export function NoRuns() {
  const { organization, origin } = useSession();
  const refusal = useRefusal("runs:write");
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
        <p>Or with the API, using a token from the settings:</p>
        <CommandLine command={createRunCommand(origin, organization.id, { prompt: "Survey this repository" })} />
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
