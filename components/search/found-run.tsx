import Link from "next/link";
import { memo } from "react";
import { RunStatus } from "#components/runs/run-status.tsx";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { FindHit } from "#lib/contract/logs/find.ts";
import type { FoundRun as Found } from "#lib/contract/logs/search.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import { MarkedSnippet } from "./marked-snippet.tsx";
import { findTextOf, isProse } from "./snippet-marks.ts";
import { stepLabelOf } from "./step-label.ts";

type FoundRunProps = { found: Found; text: string };

/** A run with the best of its matching steps, each a link to that step. */
export const FoundRun = memo(function FoundRun({ found: { run, matching_logs, hits }, text }: FoundRunProps) {
  const [first] = hits;
  const more = matching_logs === null ? 0 : matching_logs - hits.length;
  return (
    <li className="grid gap-1 border-border border-b py-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 px-2">
        <RunStatus status={run.status} iconOnly />
        <Link
          href={`/runs/${run.id}`}
          prefetch={false}
          className="min-w-0 flex-1 basis-60 truncate font-medium hover:underline"
        >
          <span className="mr-1.5 font-normal text-muted-foreground tabular-nums">#{run.id}</span>
          {runTitle(run.prompt)}
        </Link>
        <span className="flex min-w-0 items-center gap-x-3 text-[13px] text-muted-foreground">
          <span className="truncate">{run.repo_full_name ?? "No repository"}</span>
          <span className="shrink-0">{run.agent}</span>
          <RelativeTime at={run.started_at ?? run.created_at} className="shrink-0" />
        </span>
      </div>
      {hits.length > 0 && (
        <ul aria-label={`Steps of run ${run.id}`} className="grid">
          {hits.map((hit) => (
            <li key={hit.seq}>
              <FoundStep hit={hit} runId={run.id} text={text} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && first !== undefined && (
        <p className="px-2 text-xs sm:pl-9">
          <Link
            href={`/runs/${run.id}?${new URLSearchParams({ find: findTextOf(first, text) })}`}
            prefetch={false}
            className="rounded-sm text-link hover:underline"
          >
            {formatCountOf(more, "more step")}
          </Link>
        </p>
      )}
    </li>
  );
});

function FoundStep({ hit, runId, text }: { hit: FindHit; runId: number; text: string }) {
  const search = new URLSearchParams({ entry: String(hit.seq), find: findTextOf(hit, text) });
  return (
    <Link
      href={`/runs/${runId}?${search}`}
      prefetch={false}
      data-result
      className="grid grid-cols-[minmax(0,1fr)] gap-x-3 rounded-md px-2 py-1 hover:bg-accent focus-visible:-outline-offset-2 sm:grid-cols-[9rem_minmax(0,1fr)] sm:pl-9"
    >
      <span className="truncate text-muted-foreground text-xs leading-5 tabular-nums">
        #{formatCount(hit.seq)} {stepLabelOf(hit)}
      </span>
      <span className={cn("line-clamp-2 text-[13px] leading-5 wrap-anywhere", !isProse(hit) && "font-mono")}>
        <MarkedSnippet hit={hit} text={text} />
      </span>
    </Link>
  );
}
