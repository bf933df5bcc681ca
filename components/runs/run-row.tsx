import { GitBranch } from "lucide-react";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { PullBadge } from "#components/pulls/pull-badge.tsx";
import { formatCost, formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import { Duration } from "./duration.tsx";
import { LeftOutSign } from "./left-out-sign.tsx";
import { RunStatus } from "./run-status.tsx";
import { findRunStatusLook } from "./run-status-look.ts";

/** Columns of the list. If there is not enough room, the rightmost are hidden first. */
export const runColumns = cn(
  "items-center gap-x-3 px-2 md:grid",
  "md:grid-cols-[16px_minmax(0,1fr)_minmax(0,136px)_48px_64px_80px]",
  "lg:grid-cols-[16px_minmax(0,1fr)_minmax(0,152px)_48px_64px_80px]",
  "xl:grid-cols-[16px_minmax(0,1fr)_minmax(0,160px)_104px_88px_48px_64px_64px_80px]",
  "2xl:grid-cols-[16px_minmax(0,1fr)_minmax(0,208px)_168px_120px_48px_64px_64px_80px]",
);

type RunRowProps = {
  run: Run;
  /** Name of its agent. */
  agent: string;
  /** Default branch of its repository; null if it has none or it is not known. */
  defaultBranch: string | null;
};

/** One run on one line; on phones, a card of two lines. */
export const RunRow = memo(function RunRow({ run, agent, defaultBranch }: RunRowProps) {
  return (
    <li className="border-border border-b [contain-intrinsic-size:auto_37px] [content-visibility:auto]">
      <Link
        href={`/runs/${run.id}`}
        prefetch={false}
        className={cn(
          runColumns,
          "grid min-h-9 scroll-mt-8 grid-cols-[16px_minmax(0,1fr)_auto] py-2 transition-colors hover:bg-accent focus-visible:-outline-offset-2 md:py-0",
        )}
      >
        <RunStatus status={run.status} iconOnly />
        <span className="flex min-w-0 items-baseline gap-x-1.5">
          <span className="shrink-0 text-muted-foreground tabular-nums max-md:hidden">#{run.id}</span>
          <span dir="auto" className="min-w-0 truncate text-start font-medium md:font-normal">
            {runTitle(run.prompt)}
          </span>
          <LeftOutSign run={run} className="self-center" />
          {run.pull_request !== null && <PullBadge pull={run.pull_request} className="self-center" />}
          {run.status !== "completed" && run.status !== "evaluating" && (
            // Screen readers get the status from the icon, and the pull request says what is being evaluated.
            <span aria-hidden className={cn("ml-auto shrink-0 text-[13px]", findRunStatusLook(run.status).color)}>
              {findRunStatusLook(run.status).label}
            </span>
          )}
        </span>
        <Wide className="text-muted-foreground">
          <Place run={run} defaultBranch={defaultBranch} />
        </Wide>
        <Wide className="text-muted-foreground max-xl:hidden">
          <span title={agent}>{agent}</span>
        </Wide>
        <Wide className="text-muted-foreground max-xl:hidden">{run.user_name ?? "–"}</Wide>
        <Wide className="text-right tabular-nums">
          {formatCount(run.total_logs)}
          <span className="sr-only"> steps</span>
        </Wide>
        <Wide className="text-right">
          <Duration run={run} />
        </Wide>
        <Wide className="text-right tabular-nums max-xl:hidden">
          {run.cost_usd === null ? (
            <span className="text-muted-foreground" title="Not reported">
              –
            </span>
          ) : (
            formatCost(run.cost_usd)
          )}
        </Wide>
        <span className="text-right text-[13px] text-muted-foreground md:text-sm">
          <RelativeTime at={run.started_at ?? run.created_at} />
        </span>
        <span className="col-span-2 col-start-2 flex min-w-0 gap-x-2 text-[13px] text-muted-foreground md:hidden">
          <span className="shrink-0 tabular-nums">#{run.id}</span>
          <Place run={run} defaultBranch={defaultBranch} />
          <span className="min-w-8 shrink-[20] truncate">{agent}</span>
          <span className="ml-auto shrink-0 tabular-nums">{formatCountOf(run.total_logs, "step")}</span>
          <Duration run={run} className="shrink-0" />
        </span>
      </Link>
    </li>
  );
});

function Wide({ className, children }: { className?: string; children: ReactNode }) {
  return <span className={cn("truncate max-md:hidden", className)}>{children}</span>;
}

/** The repository, and the branch that the work starts from if that is not the default. */
function Place({ run, defaultBranch }: Omit<RunRowProps, "agent">) {
  if (run.repo_full_name === null) return <span className="truncate">No repository</span>;
  const branch = run.base_branch;
  return (
    <span
      className="flex min-w-0 items-center gap-1.5"
      title={branch === null ? run.repo_full_name : `${run.repo_full_name} from ${branch}`}
    >
      <span className="truncate">{run.repo_full_name}</span>
      {branch !== null && branch !== defaultBranch && (
        <span className="flex min-w-0 shrink-[2] items-center gap-0.5">
          <GitBranch aria-hidden className="size-3 shrink-0" />
          <span className="truncate">{branch}</span>
        </span>
      )}
    </span>
  );
}
