"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Eye, EyeOff, ListTree, ShieldCheck } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { searchOf } from "#components/trace/reader/address-bar.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { joinPreviews, type ShareChoice, sharePreviewQuery } from "#lib/client/pages/share-queries.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import type { SharePreview } from "#lib/contract/runs/share.ts";

type SharePreviewBoxProps = ShareChoice & { orgId: number; run: Run };

/** Number of steps with secrets that are named. */
const namedMax = 6;

/** Preview of a link with these settings, in numbers: long runs are checked while it is open. */
export function SharePreviewBox({ orgId, run, ...choice }: SharePreviewBoxProps) {
  const query = useInfiniteQuery(sharePreviewQuery(orgId, run.id, choice));
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const preview = joinPreviews(query.data?.pages ?? []);
  const isStopped = isError && preview?.complete !== true;
  return (
    <section
      aria-label="What the link shows"
      className="rounded-md border border-border bg-muted/40 px-3 py-2.5 text-[13px]"
    >
      {preview === null ? (
        // As high as the lines to come: the button below must not move under the pointer.
        !isStopped && <p className="min-h-23 text-muted-foreground sm:min-h-18">Checking the run…</p>
      ) : (
        <ul className="grid min-h-23 content-start gap-1.5 sm:min-h-18">
          <Line icon={<ListTree aria-hidden />}>
            {preview.logs === 0 ? "No steps yet" : `${formatCountOf(preview.logs, "step")}`}
            {choice.fromSeq === 1 ? ", with the prompt" : ""}
            {choice.toSeq === null ? ", and what comes later" : ""}
          </Line>
          <Line icon={choice.outputs ? <Eye aria-hidden /> : <EyeOff aria-hidden />}>
            {formatCountOf(preview.tool_calls, "tool call")},{" "}
            {choice.outputs ? "with their output" : "without their output and contents"}
          </Line>
          <Line icon={<ShieldCheck aria-hidden />}>
            <Masked preview={preview} from={choice.fromSeq} />
          </Line>
        </ul>
      )}
      {isStopped && (
        <ErrorAlert
          title={`${preview === null ? "The run" : "The rest of the run"} could not be checked`}
          {...describeError(query.error)}
          onRetry={() => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch())}
          className={preview === null ? undefined : "mt-2"}
        />
      )}
      <p className="mt-2 text-muted-foreground">
        Only what looks like a key or a password is masked. Names, addresses and code are shown as they are.
      </p>
    </section>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 [&>svg]:mt-0.5 [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-muted-foreground">
      {icon}
      <span className="min-w-0">{children}</span>
    </li>
  );
}

function Masked({ preview, from }: { preview: SharePreview; from: number }) {
  const { masked_secrets: secrets, masked_logs: logs, masked_seqs: seqs, complete, checked_to_seq: checked } = preview;
  const named = seqs.slice(0, namedMax);
  return (
    <span aria-live="polite">
      {secrets === 0
        ? "No secrets found"
        : `${formatCountOf(secrets, "secret")} masked in ${formatCountOf(logs, "step")}`}
      {!complete && (
        <span className="text-muted-foreground tabular-nums">
          {" "}
          so far, {formatCount(checked - from + 1)} steps checked
        </span>
      )}
      {named.length > 0 && (
        <>
          {": "}
          {named.map((seq, index) => (
            <span key={seq}>
              {index > 0 && ", "}
              <a
                href={searchOf({ entry: String(seq) })}
                target="_blank"
                rel="noopener"
                className="text-link hover:underline"
              >
                #{seq}
              </a>
            </span>
          ))}
          {logs > named.length && ", …"}
        </>
      )}
    </span>
  );
}
