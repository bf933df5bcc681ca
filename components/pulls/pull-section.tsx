"use client";

import { GitPullRequestArrow } from "lucide-react";
import { useId, useRef, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useRunRefusal } from "#components/session/session.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { OpenPullDialog } from "./open-pull-dialog.tsx";
import { pullActionOf } from "./pull-action.ts";
import { PullFact } from "./pull-fact.tsx";
import { PullMenu } from "./pull-menu.tsx";

/** A run's pull request among the ways to use its work: its state and the available action. */
export function PullSection({ orgId, run, repoId }: { orgId: number; run: Run; repoId: number }) {
  const id = useId();
  const refusal = useRunRefusal("push", run.user_id);
  const [isOpen, setOpen] = useState(false);
  const { pull_request: pull } = run;
  const action = pullActionOf(run);
  const section = useRef<HTMLElement>(null);
  const keptFocus = useKeptFocus(section);
  if (pull === null && action === null) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={id}
      className="-m-1.5 grid grid-cols-1 justify-items-start gap-1.5 rounded-md p-1.5"
      {...keptFocus}
    >
      <h3 id={id} className="font-medium">
        Pull request
      </h3>
      {pull === null ? (
        <p className="text-muted-foreground">
          Pushes the branch, opens a pull request, follows its checks and hands failed ones to the agent.
        </p>
      ) : (
        <div className="grid grid-cols-1 gap-1 [overflow-wrap:anywhere]">
          <div className="flex min-w-0 items-center gap-1.5">
            <PullFact pull={pull} isWrapped />
            <PullMenu orgId={orgId} run={run} />
          </div>
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

/** Explanation of the state: what failed and what to do about it, or the reason for the verdict. */
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
    const next = state === "closed" ? "Reopen it, or start a new run." : "Start a new run to continue from here.";
    return (
      <p className="text-muted-foreground">
        It was {state}. {next}
      </p>
    );
  }
  return reason === null ? null : (
    <p className="text-muted-foreground">
      <VisibleText text={reason} />
    </p>
  );
}
