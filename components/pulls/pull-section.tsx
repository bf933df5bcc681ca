"use client";

import { GitPullRequestArrow } from "lucide-react";
import { useId, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useRunRefusal } from "#components/session/session.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import type { Run } from "#lib/contract/run.ts";
import { OpenPullDialog } from "./open-pull-dialog.tsx";
import { pullActionOf } from "./pull-action.ts";
import { PullFact } from "./pull-fact.tsx";

/** A run's pull request among the ways to use its work: what there is of it, and what can be done. */
export function PullSection({ orgId, run, repoId }: { orgId: number; run: Run; repoId: number }) {
  const id = useId();
  const refusal = useRunRefusal("push", run.user_id);
  const [isOpen, setOpen] = useState(false);
  const { pull_request: pull } = run;
  const action = pullActionOf(run);
  if (pull === null && action === null) return null;
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 justify-items-start gap-1.5">
      <h3 id={id} className="font-medium">
        Pull request
      </h3>
      {pull === null ? (
        <p className="text-muted-foreground">
          Pushes the branch, opens a pull request, follows its checks and hands failed ones to the agent.
        </p>
      ) : (
        <div className="grid grid-cols-1 gap-1 [overflow-wrap:anywhere]">
          <PullFact pull={pull} isWrapped />
          {pull.stage === null && <Said pull={pull} />}
        </div>
      )}
      {action !== null && (
        <RefusableButton variant="outline" size="sm" refusal={refusal} onClick={() => setOpen(true)}>
          <GitPullRequestArrow aria-hidden />
          {action}
        </RefusableButton>
      )}
      {isOpen && <OpenPullDialog {...{ orgId, run, repoId }} onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Why it is as it is: what failed and what to do about it, or the verdict's reason. */
function Said({ pull: { error, reason, state } }: { pull: NonNullable<Run["pull_request"]> }) {
  if (error !== null) {
    return (
      <p>
        <VisibleText text={error.message} />
        {error.hint !== null && <span className="text-muted-foreground"> {error.hint}</span>}
      </p>
    );
  }
  if (state === "closed" || state === "merged") {
    return <p className="text-muted-foreground">It was {state}. Start a new run to go on from here.</p>;
  }
  return reason === null ? null : (
    <p className="text-muted-foreground">
      <VisibleText text={reason} />
    </p>
  );
}
