"use client";

import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, call } from "#lib/client/request.ts";
import { previewSeqsMax } from "#lib/contract/bounds.ts";
import type { SharePreview } from "#lib/contract/runs/share.ts";
import { queryKeys } from "./query-keys.ts";

/** Preview of a new link. */
export type ShareChoice = { fromSeq: number; toSeq: number | null; outputs: boolean };

/** The links to a run, newest first. */
export function sharesQuery(orgId: number, runId: number) {
  return queryOptions({
    queryKey: [...queryKeys.shares(orgId, runId), "list"],
    queryFn: ({ signal }) =>
      call("listShares", { params: { org_id: orgId, agent_run_id: runId }, query: { limit: 100 }, signal }),
    refetchInterval: 10_000,
  });
}

/** Preview of a link as of now; each page checks some more of a long run for secrets. {@link joinPreviews} adds them up. */
export function sharePreviewQuery(orgId: number, runId: number, { fromSeq, toSeq, outputs }: ShareChoice) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.shares(orgId, runId), "preview", fromSeq, toSeq, outputs],
    queryFn: ({ pageParam, signal }) =>
      call("previewShare", {
        params: { org_id: orgId, agent_run_id: runId },
        query: { from_seq: fromSeq, to_seq: toSeq ?? undefined, outputs: String(outputs), after_seq: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.complete ? undefined : last.checked_to_seq),
    staleTime: 30_000,
    gcTime: 60_000,
  });
}

/** Total of all pages of a preview; null if there is none. */
export function joinPreviews(pages: readonly SharePreview[]): SharePreview | null {
  const last = pages.at(-1);
  if (last === undefined) return null;
  const sum = (count: (page: SharePreview) => number) => pages.reduce((total, page) => total + count(page), 0);
  return {
    ...last,
    masked_secrets: sum((page) => page.masked_secrets),
    masked_logs: sum((page) => page.masked_logs),
    masked_seqs: pages.flatMap((page) => page.masked_seqs).slice(0, previewSeqsMax),
  };
}

/** Creates a link; only the response has it. */
export function useCreateShare(orgId: number, runId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"createShare">) =>
      call("createShare", { params: { org_id: orgId, agent_run_id: runId }, body }),
    // Not awaited: the link is shown as soon as it exists.
    onSuccess: () => void client.invalidateQueries({ queryKey: sharesQuery(orgId, runId).queryKey }),
    // The link is shown once: nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
  });
}

/** Revokes a link. */
export function useRevokeShare(orgId: number, runId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (shareId: number) => call("deleteShare", { params: { org_id: orgId, share_id: shareId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sharesQuery(orgId, runId).queryKey }),
  });
}
