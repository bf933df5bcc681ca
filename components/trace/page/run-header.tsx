"use client";

import type { ReactNode } from "react";
import { LeftOutLink } from "#components/runs/left-out.tsx";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { agentFacts, BranchName, durationFact, figureFacts } from "./header-facts.tsx";
import { HeaderFrame } from "./header-frame.tsx";
import { PullFact } from "./run-islands.tsx";

type RunHeaderProps = { run: Run; totalLogs: number; actions: ReactNode; tabs: ReactNode };

/** Title and status of the run. */
export function RunHeader({ run, totalLogs, actions, tabs }: RunHeaderProps) {
  // For an agent in another system, the location is shown only if that system reports it.
  const hasPlace = run.repo_full_name !== null || run.agent !== externalAgent;
  const place = { name: "Repository", value: <Place run={run} />, className: "min-w-0 shrink max-sm:hidden" };
  const leftOut = { name: "Left out", value: <LeftOutLink run={run} className="text-status-waiting" /> };
  const { pull_request: pull } = run;
  const facts = [
    ...(pull === null ? [] : [{ name: "Pull request", value: <PullFact pull={pull} /> }]),
    ...agentFacts(run),
    ...(hasPlace ? [place] : []),
    ...(run.work_left_out === 0 ? [] : [leftOut]),
    durationFact(run),
    ...figureFacts(run, totalLogs),
  ];
  return <HeaderFrame {...{ run, actions, facts, tabs }} />;
}

function Place({ run }: { run: Run }) {
  if (run.repo_full_name === null) return <span className="block truncate">No repository</span>;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="truncate" title={run.repo_full_name}>
        {run.repo_full_name}
      </span>
      {run.base_branch !== null && <BranchName name={run.base_branch} />}
    </span>
  );
}
