"use client";

import { mutationOptions, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, type CallResult, call } from "#lib/client/request.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { queryKeys } from "./query-keys.ts";
import { queueKey } from "./queue-queries.ts";
import { runQuery } from "./run-queries.ts";

type QueuePage = CallResult<"listQueue">;

/** Changes a turn that has not started. */
export function useEditTurn(orgId: number, runId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ turn, ...body }: CallBody<"editTurn"> & { turn: number }) =>
      call("editTurn", { params: { org_id: orgId, agent_run_id: runId, turn }, body }),
    onSuccess: (turn) =>
      client.setQueriesData<QueuePage>({ queryKey: queueKey(orgId, runId) }, (page) =>
        page === undefined
          ? undefined
          : { ...page, items: page.items.map((item) => (item.number === turn.number ? turn : item)) },
      ),
    // After an error too: somebody else has changed the queue.
    onSettled: () => readAgain(client, orgId, runId),
  });
}

/** Withdraws turns one after another; the result is the run as the last one left it. */
export function useWithdrawTurns(orgId: number, runId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (turns: readonly number[]) => {
      let run: Run | null = null;
      for (const turn of turns) {
        run = await call("withdrawTurn", { params: { org_id: orgId, agent_run_id: runId, turn } });
      }
      return run;
    },
    onSuccess: (run) => {
      if (run !== null) client.setQueryData(runQuery(orgId, runId).queryKey, run);
    },
    onSettled: () => readAgain(client, orgId, runId),
  });
}

/**
 * Sends the held turns. `onSent` is called even if the component is gone by then: the run's stream may report that nothing is
 * held any more before the response arrives.
 */
export function useSendQueue(orgId: number, runId: number, onSent: (run: Run) => void) {
  const client = useQueryClient();
  return useMutation(sendQueueOptions(client, orgId, runId, onSent));
}

/** {@link useSendQueue} for a client. */
export function sendQueueOptions(client: QueryClient, orgId: number, runId: number, onSent: (run: Run) => void) {
  return mutationOptions({
    mutationFn: () => call("sendQueue", { params: { org_id: orgId, agent_run_id: runId } }),
    onSuccess: (run: Run) => {
      client.setQueryData(runQuery(orgId, runId).queryKey, run);
      void client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) });
      onSent(run);
    },
    onSettled: () => readAgain(client, orgId, runId),
  });
}

/** Not awaited: the button must see its end before the list has lost it. */
function readAgain(client: QueryClient, orgId: number, runId: number): void {
  void client.invalidateQueries({ queryKey: queueKey(orgId, runId) });
}
