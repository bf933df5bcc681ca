"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useAcceptSetup } from "#lib/client/pages/setup-mutations.ts";
import { setupQuery } from "#lib/client/pages/setup-queries.ts";
import { bodyOf, countFitting, draftOfProposal, leftOutWords } from "./setup-draft.ts";

/** Shown below the steps of a generate run: accepts its proposal, or links to the repository's page to edit it. */
export function AcceptProposalBar({ orgId, repoId, runId }: { orgId: number; repoId: number; runId: number }) {
  const { data: setup } = useQuery(setupQuery(orgId, repoId));
  const refusal = useRefusal("repos:write");
  const accept = useAcceptSetup(orgId, repoId);
  const proposal = setup?.proposal;
  if (setup === undefined || proposal == null || proposal.agent_run_id !== runId) return null;
  const fitting = countFitting(proposal);
  const leftOut = leftOutWords(proposal, "accept");
  const onAccept = () =>
    accept.mutate(
      { ...bodyOf(draftOfProposal(proposal, setup, "accept")), version: setup.version },
      { onSuccess: () => toast({ title: "Setup commands accepted" }) },
    );
  return (
    <section aria-label="Proposed setup commands" className="grid gap-2 border-border border-t px-4 py-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        {proposal.open && fitting > 0 && (
          <RefusableButton refusal={refusal} size="sm" pending={accept.isPending} onClick={onAccept}>
            Accept {fitting === 1 ? "1 command" : `${fitting} commands`}
          </RefusableButton>
        )}
        {proposal.open && leftOut !== null && <span className="text-muted-foreground">{leftOut}</span>}
        <Link href={`/repositories/${repoId}`} className="rounded-sm text-link underline-offset-4 hover:underline">
          {proposal.open ? "Review or edit them first" : "Setup commands of the repository"}
        </Link>
      </div>
      {accept.error !== null && (
        <ErrorAlert title="The commands could not be accepted" {...describeError(accept.error)} />
      )}
    </section>
  );
}
