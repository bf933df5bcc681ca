"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { useClock } from "#components/shell/use-clock.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { sharesQuery, useRevokeShare } from "#lib/client/pages/share-queries.ts";
import type { Share } from "#lib/contract/runs/share.ts";

type ShareRowsProps = { orgId: number; runId: number };

/** Links to a run: range, views and a revoke button of each. Nothing if there are none. */
export function ShareRows({ orgId, runId }: ShareRowsProps) {
  const { data, error, refetch } = useQuery(sharesQuery(orgId, runId));
  if (error !== null && data === undefined) {
    return (
      <ErrorAlert title="The links could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-labelledby="links-title" className="border-border border-t pt-3">
      <h3 id="links-title" className="font-medium text-sm">
        Links to this run
      </h3>
      <ul className="mt-1 divide-y divide-border">
        {data.items.map((share) => (
          <ShareLine key={share.id} {...{ orgId, share }} />
        ))}
      </ul>
    </section>
  );
}

function ShareLine({ orgId, share }: { orgId: number; share: Share }) {
  const revoke = useRevokeShare(orgId, share.run_id);
  const [isAsking, setAsking] = useState(false);
  const isOver = useClock((nowMs) =>
    share.expires_at !== null && Date.parse(share.expires_at) <= nowMs ? "over" : "",
  );
  const send = () =>
    // Not a callback of mutate, which is not called once the row is gone.
    revoke.mutateAsync(share.id).then(
      () => toast({ title: "Link revoked", description: `The link ending in ${share.hint}.` }),
      () => {},
    );
  return (
    <li className="grid gap-2 py-2">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1 text-[13px]">
          <p>
            <code className="text-xs">…{share.hint}</code>
            <span className="ml-2">{partOf(share)}</span>
            <span className="text-muted-foreground">
              , {share.outputs ? "with tool output" : "without tool output"}
            </span>
          </p>
          <p className="text-muted-foreground">
            {share.views === 0 ? "Not opened yet" : `Opened ${formatCountOf(share.views, "time")}, last `}
            {share.last_viewed_at !== null && <RelativeTime at={share.last_viewed_at} />}
            {" · "}
            {share.expires_at === null ? (
              "never expires"
            ) : (
              <>
                {isOver === "over" ? "expired " : "expires "}
                <RelativeTime at={share.expires_at} />
              </>
            )}
            {" · created "}
            <RelativeTime at={share.created_at} />
            {share.user_name !== null && ` by ${share.user_name}`}
          </p>
        </div>
        {!isAsking && (
          <Button
            variant="outline"
            size="sm"
            aria-label={`Revoke the link ending in ${share.hint}`}
            onClick={() => setAsking(true)}
          >
            Revoke
          </Button>
        )}
      </div>
      {isAsking && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 text-[13px]">Anyone reading through it now is cut off. This cannot be undone.</p>
          <Button variant="outline" size="sm" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button variant="destructive" size="sm" pending={revoke.isPending} onClick={send}>
            Revoke link
          </Button>
        </div>
      )}
      {revoke.error !== null && <ErrorAlert title="The link was not revoked" {...describeError(revoke.error)} />}
    </li>
  );
}

function partOf({ from_seq: from, to_seq: to }: Share): string {
  if (to === null) return from === 1 ? "Whole run" : `From step ${from}`;
  return from === to ? `Step ${from}` : `Steps ${from} to ${to}`;
}
