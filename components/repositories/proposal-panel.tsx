"use client";

import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useAcceptSetup, useDiscardProposal } from "#lib/client/pages/setup-mutations.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";
import type { Setup } from "#lib/contract/repositories/setup.ts";
import { ProposedCommands } from "./proposed-commands.tsx";
import { bodyOf, countFitting, draftOfProposal, leftOutWords, type SetupDraft } from "./setup-draft.ts";

type ProposalPanelProps = {
  orgId: number;
  repository: Repository;
  setup: Setup;
  proposal: NonNullable<Setup["proposal"]>;
  refusal: string | null;
  onEdit: (draft: SetupDraft) => void;
};

/** A generate run's proposal, to be accepted, edited or discarded. */
export function ProposalPanel({ orgId, repository, setup, proposal, refusal, onEdit }: ProposalPanelProps) {
  const accept = useAcceptSetup(orgId, repository.id);
  const discard = useDiscardProposal(orgId, repository.id);
  const isEmpty = proposal.commands.length === 0;
  const fitting = countFitting(proposal);
  const leftOut = leftOutWords(proposal, "accept");
  const failure = accept.error ?? discard.error;
  const onAccept = () =>
    // Not a callback of mutate, which is not called once the panel is gone.
    accept.mutateAsync({ ...bodyOf(draftOfProposal(proposal, setup, "accept")), version: setup.version }).then(
      () => toast({ title: "Setup commands accepted" }),
      () => {},
    );
  return (
    <section aria-labelledby="proposal-heading" className="grid gap-3 rounded-lg border border-border bg-card p-3">
      <div className="grid gap-1">
        <h3 id="proposal-heading" className="font-medium text-sm">
          {isEmpty ? "No setup commands were found" : "Proposed commands"}
        </h3>
        <p className="text-[13px] text-muted-foreground">
          From{" "}
          <Link
            href={`/runs/${proposal.agent_run_id}`}
            className="text-link underline underline-offset-4 hover:no-underline"
          >
            run #{proposal.agent_run_id}
          </Link>
          , <RelativeTime at={proposal.created_at} />.
          {!isEmpty &&
            " Read them before you accept them: they run in later runs, with the permissions of the run's agent."}
        </p>
      </div>
      <ProposedCommands {...{ repository, proposal }} />
      {!isEmpty && leftOut !== null && (
        <p className="text-sm">
          {fitting > 0 ? leftOut : "No command worked."}
          {keepsMore(proposal) && " “Edit first” keeps the test and lint commands that failed."}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {fitting > 0 && (
          <RefusableButton refusal={refusal} pending={accept.isPending} onClick={onAccept}>
            Accept {fitting === 1 ? "1 command" : `${fitting} commands`}
          </RefusableButton>
        )}
        {!isEmpty && (
          <RefusableButton
            refusal={refusal}
            variant="outline"
            onClick={() => onEdit(draftOfProposal(proposal, setup, "edit"))}
          >
            Edit first
          </RefusableButton>
        )}
        <RefusableButton
          refusal={refusal}
          variant="outline"
          pending={discard.isPending}
          onClick={() => discard.mutate()}
        >
          {isEmpty ? "Dismiss" : "Discard"}
        </RefusableButton>
      </div>
      {failure !== null && <ErrorAlert title="The proposal could not be changed" {...describeError(failure)} />}
    </section>
  );
}

/** The proposal beside the form filled from it: closed, with a note on what the form leaves out. */
export function ProposalInBrief({
  repository,
  proposal,
}: {
  repository: Repository;
  proposal: NonNullable<Setup["proposal"]>;
}) {
  const leftOut = leftOutWords(proposal, "edit");
  return (
    <details className="group rounded-lg border border-border bg-card p-3">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 group-open:rotate-90" />
        <span>
          <span className="font-medium">Proposed commands</span>
          {leftOut !== null && <span className="text-muted-foreground">. {leftOut}</span>}
        </span>
      </summary>
      <div className="grid gap-3 pt-3">
        <ProposedCommands {...{ repository, proposal }} />
      </div>
    </details>
  );
}

function keepsMore(proposal: NonNullable<Setup["proposal"]>): boolean {
  return leftOutWords(proposal, "accept") !== leftOutWords(proposal, "edit");
}
