"use client";

import Link from "next/link";
import { type ReactNode, useId } from "react";
import { CommandLine } from "#components/page/command-line.tsx";
import { PullSection } from "#components/pulls/pull-section.tsx";
import { operationPath } from "#lib/client/request.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { PushBranch } from "./push-branch.tsx";

type UseWorkProps = { orgId: number; run: Run; origin: string };

/** Ways to get a run's work into a person's own checkout. */
export function UseWork({ orgId, run, origin }: UseWorkProps) {
  const path = operationPath("getDiff", { params: { org_id: orgId, agent_run_id: run.id } });
  const apply = `curl -sS -H "Authorization: Bearer $ERRAND_TOKEN" '${origin}${path}' | git apply`;
  return (
    <details className="text-[13px]">
      <summary className="w-fit rounded-sm text-muted-foreground hover:text-foreground">Use this work</summary>
      <div className="grid grid-cols-1 gap-4 pt-2">
        {run.branch !== null && (
          <Way
            title={run.repo_id === null ? "Clone the repository" : "Fetch the branch"}
            command={fetchCommand(orgId, run, origin)}
          >
            When git asks, enter any user name, and an{" "}
            <Link href="/settings/tokens" className="text-link underline underline-offset-2">
              API token
            </Link>{" "}
            as the password.
          </Way>
        )}
        <Way title="Apply the changes as a patch" command={apply}>
          The command reads the token from the variable <code>ERRAND_TOKEN</code>.
        </Way>
        {run.repo_id !== null && <PullSection orgId={orgId} run={run} repoId={run.repo_id} />}
        {run.repo_id !== null && run.branch !== null && <PushBranch orgId={orgId} run={run} />}
      </div>
    </details>
  );
}

/** A run without a repository has a mirror of its own, of which nobody has a checkout. */
function fetchCommand(orgId: number, { id, repo_id, branch }: Run, origin: string): string {
  const address = `${origin}/git/${orgId}/${repo_id ?? `run-${id}`}.git`;
  return repo_id === null ? `git clone ${address}` : `git fetch ${address} ${branch}`;
}

function Way({ title, command, children }: { title: string; command: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-1">
      <h3 id={id} className="font-medium">
        {title}
      </h3>
      <CommandLine command={command} label={`Copy the command: ${title}`} />
      <p className="text-muted-foreground">{children}</p>
    </section>
  );
}
