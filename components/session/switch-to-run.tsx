"use client";

import { ArrowLeftRight } from "lucide-react";
import { useEffect, useState } from "react";
import { ErrorState } from "#components/shell/error-state.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { switchOrganization } from "./switch-organization.ts";

/** Follows a link to a run of another of the person's organizations: switches to it, with a notice. */
export function SwitchToRun({ organization }: { organization: { id: number; name: string } }) {
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const { id, name } = organization;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is a switch of its own.
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    switchOrganization({ id, name }, pathname + search + hash).catch(setError);
  }, [id, name, attempt]);

  if (error !== null) {
    return (
      <ErrorState
        heading="h1"
        title={`This run belongs to ${name}`}
        {...describeError(error)}
        onRetry={() => {
          setError(null);
          setAttempt(attempt + 1);
        }}
      />
    );
  }
  return (
    <EmptyState
      icon={<ArrowLeftRight />}
      heading="h1"
      title={`This run belongs to ${name}`}
      description="Switching you to that organization."
      action={<Spinner label={`Switching to ${name}`} />}
    />
  );
}
