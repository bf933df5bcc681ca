"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useKeepRun } from "#lib/client/pages/mutations.ts";
import { runQuery } from "#lib/client/pages/run-queries.ts";
import { browserTransport, type CallBody, call } from "./request.ts";
import { withHeader } from "./token-transport.ts";

/** Adds a turn to a run, once per key: sent from two pages, or again because the response was lost, it is one turn. */
export function useResumeRunOnce(orgId: number) {
  const client = useQueryClient();
  const keep = useKeepRun(orgId);
  return useMutation({
    mutationFn: ({ key, body }: { key: string; body: CallBody<"resumeRun"> }) =>
      call("resumeRun", { params: { org_id: orgId }, body }, withHeader(browserTransport, "idempotency-key", key)),
    onSuccess: (run) => {
      keep(run);
      // The response to a repetition shows the run as it was then.
      void client.invalidateQueries({ queryKey: runQuery(orgId, run.id).queryKey, exact: true });
    },
  });
}
