"use client";

import { GitBranchPlus } from "lucide-react";
import { useId } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { LeftOutWarning } from "#components/runs/left-out-sign.tsx";
import { useRunRefusal } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { usePushRun } from "#lib/client/pages/mutations.ts";
import type { PushResult } from "#lib/contract/runs/push.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Pushes a run's branch to the repository it came from, and shows the result. */
export function PushBranch({ orgId, run }: { orgId: number; run: Run }) {
  const id = useId();
  const refusal = useRunRefusal("push", run.user_id);
  const push = usePushRun(orgId);
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 justify-items-start gap-1.5">
      <h3 id={id} className="font-medium">
        Push the branch
      </h3>
      <p className="text-muted-foreground">
        Pushes <code className="text-foreground [overflow-wrap:anywhere]">{run.branch}</code> to {run.repo_full_name}.
        Other people's commits on that branch are never overwritten. Unlike a pull request, a push does not check the
        commits for keys or unresolved conflicts first.
      </p>
      <LeftOutWarning run={run} />
      <RefusableButton
        variant="outline"
        size="sm"
        refusal={refusal}
        pending={push.isPending}
        onClick={() => push.mutate(run.id)}
      >
        <GitBranchPlus aria-hidden />
        Push
      </RefusableButton>
      <div role="status" className="w-full">
        {push.data !== undefined && !push.isPending ? (
          <Outcome result={push.data} />
        ) : (
          run.pushed !== null && (
            <p className="[overflow-wrap:anywhere]">
              Pushed <code>{run.pushed.commit.slice(0, 10)}</code> to {run.pushed.remote}{" "}
              <RelativeTime at={run.pushed.at} />
            </p>
          )
        )}
      </div>
      {push.error !== null && (
        <div className="w-full">
          <ErrorAlert title="The branch was not pushed" {...describeError(push.error)} />
        </div>
      )}
    </section>
  );
}

function Outcome({ result }: { result: PushResult }) {
  const { status, commit, remote, reason, hint } = result;
  if (status === "refused") {
    return (
      <Alert variant="warning">
        <AlertTitle>The branch was not pushed</AlertTitle>
        <AlertDescription className="[overflow-wrap:anywhere]">
          {reason} {hint}
        </AlertDescription>
      </Alert>
    );
  }
  return (
    <p className="[overflow-wrap:anywhere]">
      {status === "pushed" ? "Pushed" : "Already pushed:"} <code>{commit.slice(0, 10)}</code>{" "}
      {status === "pushed" ? "to" : "is in"} {remote}
    </p>
  );
}
