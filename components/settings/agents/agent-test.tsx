"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunStatus } from "#components/runs/run-status.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useCreateRun } from "#lib/client/pages/mutations.ts";
import { runQuery } from "#lib/client/pages/run-queries.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { testOf } from "./agent-words.ts";

/** Starts a run of the agent in an empty folder with a one-line prompt, and shows the result. */
export function AgentTest({ orgId, agent }: { orgId: number; agent: Agent }) {
  const create = useCreateRun(orgId);
  const runId = create.data?.id ?? null;
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        pending={create.isPending}
        onClick={() => create.mutate({ ...testOf(agent), agent: agent.id })}
      >
        Test
      </Button>
      <span aria-live="polite" className="inline-flex min-w-0 items-center gap-2 text-[13px]">
        {create.isError && <span className="text-destructive">{describeError(create.error).detail}</span>}
        {runId !== null && <TestRun key={runId} orgId={orgId} runId={runId} />}
      </span>
    </>
  );
}

function TestRun({ orgId, runId }: { orgId: number; runId: number }) {
  const run = useQuery({
    ...runQuery(orgId, runId),
    refetchInterval: ({ state }) => (state.data === undefined || isLive(state.data) ? 1000 : false),
  }).data;
  return (
    <>
      {run !== undefined && <RunStatus status={run.status} />}
      <Link href={`/runs/${runId}`} className="underline underline-offset-2">
        Run {runId}
      </Link>
    </>
  );
}
