"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { RefusableLink } from "#components/page/refusable-button.tsx";
import { PullSettingsSection } from "#components/pulls/pull-settings-section.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { ErrorState } from "#components/shell/error-state.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { NotFoundState } from "#components/shell/page-states.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ClientError, describeError } from "#lib/client/client-error.ts";
import { repositoryQuery } from "#lib/client/pages/queries.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";
import { DeleteRepository } from "./delete-repository.tsx";
import { RepositoryIsolation } from "./repository-isolation.tsx";
import { SetupSection } from "./setup-section.tsx";
import { SubmodulesSection } from "./submodules-section.tsx";

/** One repository: its source, and its settings. */
export function RepositoryPage({ repoId }: { repoId: number }) {
  const { id: orgId } = useOrganization();
  const found = useQuery(repositoryQuery(orgId, repoId));
  const refusal = useRefusal("runs:write");
  const { data: repository, error } = found;
  if (repository === undefined) {
    if (error === null) return <Loading label="Loading the repository" />;
    if (error instanceof ClientError && error.status === 404) {
      return <NotFoundState what="repository" back={{ label: "Repositories", href: "/repositories" }} />;
    }
    const retry = () => void found.refetch();
    const title = "The repository could not be loaded";
    return <ErrorState heading="h1" title={title} {...describeError(error)} onRetry={retry} />;
  }
  return (
    <DashboardPage
      width="column"
      title={repository.full_name}
      actions={
        <RefusableLink refusal={refusal} variant="outline" href={`/runs/new?repo_id=${repoId}`}>
          New run
        </RefusableLink>
      }
    >
      <Facts repository={repository} />
      <SetupSection orgId={orgId} repository={repository} />
      <SubmodulesSection orgId={orgId} repository={repository} />
      <PullSettingsSection orgId={orgId} repository={repository} />
      <RepositoryIsolation orgId={orgId} repoId={repoId} />
      <DeleteRepository {...{ orgId, repository }} />
    </DashboardPage>
  );
}

function Facts({ repository }: { repository: Repository }) {
  const { id, description, source, default_branch, created_at, full_name } = repository;
  return (
    <div className="grid gap-2 text-sm">
      {description !== null && <p>{description}</p>}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-1 [&_dt]:text-muted-foreground">
        <dt>Source</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <code className="truncate" title={source}>
            {source}
          </code>
          <CopyButton text={source} label={`Copy the source of ${full_name}`} className="shrink-0" />
        </dd>
        <dt>Default branch</dt>
        <dd className="truncate">{default_branch ?? "No commits"}</dd>
        <dt>Added</dt>
        <dd>
          <RelativeTime at={created_at} />
        </dd>
        <dt>Runs</dt>
        <dd>
          <Link
            href={`/runs?repo_id=${id}`}
            prefetch={false}
            className="text-link underline underline-offset-4 hover:no-underline"
          >
            Show its runs
          </Link>
        </dd>
      </dl>
    </div>
  );
}
