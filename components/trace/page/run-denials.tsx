"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AllowHost } from "#components/network/allow-host.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { Button } from "#components/ui/button.tsx";
import { isLive } from "#lib/client/live/is-live.ts";
import { runDenialsQuery } from "#lib/client/pages/isolation-queries.ts";
import { denialWords } from "#lib/contract/repositories/denial-words.ts";
import type { Denial } from "#lib/contract/repositories/network.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Number of connections shown at first; the others are listed on demand. */
const shownMax = 5;

/** Refused connections of the run; admins can allow each host. Shows nothing if there are none. */
export function RunDenials({ orgId, run }: { orgId: number; run: Run }) {
  const { data } = useQuery(runDenialsQuery(orgId, run.id, isLive(run)));
  const [showsAll, setShowsAll] = useState(false);
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const shown = showsAll || items.length <= shownMax + 1 ? items : items.slice(0, shownMax);
  return (
    <div className="grid min-w-0 gap-0.5">
      <dt className="text-muted-foreground text-xs">Refused connections</dt>
      <dd>
        <ul aria-label="Refused connections" className="grid gap-2">
          {shown.map((denial) => (
            <Item key={`${denial.host} ${denial.rule}`} {...{ orgId, run, denial }} />
          ))}
        </ul>
        {shown.length < items.length && (
          <Button variant="ghost" size="sm" className="-ml-2 text-muted-foreground" onClick={() => setShowsAll(true)}>
            Show all {formatCount(items.length)}
          </Button>
        )}
      </dd>
    </div>
  );
}

function Item({ orgId, run, denial }: { orgId: number; run: Run; denial: Denial }) {
  const mayAllow = useRefusal("org:admin") === null && !denial.allowed;
  const { host, rule, count, allowed } = denial;
  const { repo_id, repo_full_name } = run;
  const repository = repo_id === null ? null : { id: repo_id, name: repo_full_name ?? `repository ${repo_id}` };
  return (
    <li className="grid min-w-0 justify-items-start gap-1">
      <code className="max-w-full [overflow-wrap:anywhere]">{host}</code>
      <span className="text-muted-foreground tabular-nums">
        {allowed ? "Allowed now" : denialWords[rule]}
        {count > 1 && `, ${formatCount(count)} times`}
      </span>
      {mayAllow && (
        <AllowHost {...{ orgId, denial, repository }}>
          {repository === null ? "Allow for all runs" : "Allow for this repository"}
        </AllowHost>
      )}
    </li>
  );
}
