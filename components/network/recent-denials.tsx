"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { type Place, recentDenialsQuery } from "#lib/client/pages/isolation-queries.ts";
import { denialWords } from "#lib/contract/repositories/denial-words.ts";
import type { RecentDenial } from "#lib/contract/repositories/network.ts";
import { AllowHost } from "./allow-host.tsx";

/** Connections refused in the last week, each with a button to allow it. */
export function RecentDenials({ orgId, repoId }: Place) {
  return (
    <LoadedPart query={useQuery(recentDenialsQuery({ orgId, repoId }))} what="the refused connections">
      {({ items }) =>
        items.length === 0 ? (
          <p className="text-muted-foreground text-sm">None in the last 7 days.</p>
        ) : (
          <ul aria-label="Refused connections" className="border-border border-t">
            {items.map((denial) => (
              <Row
                key={`${denial.host} ${denial.rule} ${denial.repository_id}`}
                {...{ orgId, denial }}
                isOfOne={repoId !== null}
              />
            ))}
          </ul>
        )
      }
    </LoadedPart>
  );
}

/** `isOfOne`: all rows belong to one repository, which need not be named. */
function Row({ orgId, denial, isOfOne }: { orgId: number; denial: RecentDenial; isOfOne: boolean }) {
  const mayAllow = useRefusal("org:admin") === null && !denial.allowed;
  const { host, rule, count, runs, agent_run_id, repository_id, repo_full_name, at } = denial;
  const repository =
    repository_id === null ? null : { id: repository_id, name: repo_full_name ?? `repository ${repository_id}` };
  return (
    <li className="grid items-center gap-x-4 gap-y-2 border-border border-b py-2 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="min-w-0 text-[13px] [overflow-wrap:anywhere]">{host}</code>
          {denial.allowed ? <Badge variant="completed">Allowed now</Badge> : <Badge>{denialWords[rule]}</Badge>}
        </div>
        <p className="flex flex-wrap gap-x-2 text-[13px] text-muted-foreground tabular-nums">
          <span>
            {formatCountOf(count, "time")} in {formatCountOf(runs, "run")}
          </span>
          {!isOfOne && repository !== null && (
            <Link
              href={`/repositories/${repository.id}`}
              prefetch={false}
              className="min-w-0 underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {repository.name}
            </Link>
          )}
          <span>
            last in{" "}
            <Link href={`/runs/${agent_run_id}`} prefetch={false} className="text-link underline underline-offset-4">
              run #{agent_run_id}
            </Link>
            , <RelativeTime at={at} />
          </span>
        </p>
      </div>
      {mayAllow && (
        <div className="flex flex-wrap gap-2 empty:hidden">
          {repository !== null && (
            <AllowHost {...{ orgId, denial, repository }}>
              {isOfOne ? "Allow for this repository" : "Allow for that repository"}
            </AllowHost>
          )}
          {!isOfOne && (
            <AllowHost {...{ orgId, denial }} repository={null}>
              Allow for all runs
            </AllowHost>
          )}
        </div>
      )}
    </li>
  );
}
