import { GitBranch } from "lucide-react";
import Link from "next/link";
import { formatCount } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { Repository } from "#lib/contract/repositories/repository.ts";

const columns =
  "grid items-center gap-x-4 px-2 md:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)_minmax(0,140px)_80px_120px]";

const linkClasses = "text-link underline-offset-4 hover:underline";

/** One row per repository, sorted by name: at most the first hundred; the search finds the others. */
export function RepositoryRows({ repositories, total }: { repositories: Repository[]; total: number }) {
  return (
    <div>
      <div aria-hidden className={cn(columns, "hidden h-8 text-muted-foreground text-xs md:grid")}>
        <span>Name</span>
        <span>Source</span>
        <span>Default branch</span>
        <span className="text-right">Added</span>
      </div>
      <ul aria-label="Repositories" className="border-border border-t">
        {repositories.map((repository) => (
          <RepositoryRow key={repository.id} repository={repository} />
        ))}
      </ul>
      {total > repositories.length && (
        <p className="px-2 py-3 text-[13px] text-muted-foreground">
          {formatCount(total - repositories.length)} more: use the search to find them.
        </p>
      )}
    </div>
  );
}

function RepositoryRow({ repository }: { repository: Repository }) {
  const { id, full_name, description, source, default_branch, created_at } = repository;
  return (
    <li className={cn(columns, "min-h-11 gap-y-0.5 border-border border-b py-2 md:py-1")}>
      <span className="min-w-0">
        <Link
          href={`/repositories/${id}`}
          prefetch={false}
          title={full_name}
          className="block w-fit max-w-full truncate font-medium underline-offset-4 hover:underline"
        >
          {full_name}
        </Link>
        {description !== null && (
          <span className="block truncate text-[13px] text-muted-foreground">{description}</span>
        )}
      </span>
      <span className="flex min-w-0 items-center gap-1 text-muted-foreground">
        <code className="truncate" title={source}>
          {source}
        </code>
        <CopyButton text={source} label={`Copy the source of ${full_name}`} className="shrink-0" />
      </span>
      <span className="flex min-w-0 items-center gap-1 text-[13px] text-muted-foreground md:text-sm">
        {default_branch === null ? (
          "No commits"
        ) : (
          <>
            <GitBranch aria-label="Default branch" className="size-3.5 shrink-0" />
            <span className="truncate">{default_branch}</span>
          </>
        )}
      </span>
      <span className="text-[13px] text-muted-foreground md:text-right md:text-sm">
        <span className="md:sr-only">Added </span>
        <RelativeTime at={created_at} />
      </span>
      <span className="flex gap-4 text-[13px] md:justify-end">
        <Link href={`/runs?repo_id=${id}`} prefetch={false} className={linkClasses}>
          Runs<span className="sr-only"> of {full_name}</span>
        </Link>
        <Link href={`/runs/new?repo_id=${id}`} prefetch={false} className={linkClasses}>
          New run<span className="sr-only"> in {full_name}</span>
        </Link>
      </span>
    </li>
  );
}
