"use client";

import { Check, CircleDashed, X } from "lucide-react";
import Link from "next/link";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useAcceptSetup, useDiscardProposal } from "#lib/client/setup-mutations.ts";
import type { Repository } from "#lib/contract/repository.ts";
import type { ProposedCommand, Setup } from "#lib/contract/setup.ts";
import { evidenceHref } from "./evidence-href.ts";
import { bodyOf, draftOfProposal, type SetupDraft } from "./setup-draft.ts";

type ProposalPanelProps = {
  orgId: number;
  repository: Repository;
  setup: Setup;
  proposal: NonNullable<Setup["proposal"]>;
  refusal: string | null;
  onEdit: (draft: SetupDraft) => void;
};

const outcomes = {
  worked: { label: "Worked", icon: Check, colour: "text-status-completed" },
  failed: { label: "Failed", icon: X, colour: "text-status-failed" },
  not_tried: { label: "Not tried", icon: CircleDashed, colour: "text-muted-foreground" },
} as const;

/** What a generate run proposes: each command with how it did and the lines that name it, and what to do with them. */
export function ProposalPanel({ orgId, repository, setup, proposal, refusal, onEdit }: ProposalPanelProps) {
  const accept = useAcceptSetup(orgId, repository.id);
  const discard = useDiscardProposal(orgId, repository.id);
  const draft = draftOfProposal(proposal, setup);
  const fitting = Object.values(draft.rows).reduce((sum, rows) => sum + rows.length, 0);
  const failure = accept.error ?? discard.error;
  const onAccept = () =>
    accept.mutate(
      { ...bodyOf(draft), version: setup.version },
      { onSuccess: () => toast({ title: "Setup commands accepted" }) },
    );
  return (
    <section aria-labelledby="proposal-heading" className="grid gap-3 rounded-lg border border-border bg-card p-3">
      <div className="grid gap-1">
        <h3 id="proposal-heading" className="font-medium text-sm">
          {proposal.commands.length === 0 ? "No setup commands were found" : "Proposed commands"}
        </h3>
        <p className="text-[13px] text-muted-foreground">
          From{" "}
          <Link
            href={`/runs/${proposal.agent_run_id}`}
            className="text-link underline underline-offset-4 hover:no-underline"
          >
            run #{proposal.agent_run_id}
          </Link>
          , <RelativeTime at={proposal.created_at} />
          {proposal.commands.length > 0 &&
            ". They come from the repository: read them before you accept them, for they run with the rights of the service."}
        </p>
      </div>
      {proposal.commands.length > 0 && (
        <ul className="grid gap-2">
          {proposal.commands.map((command) => (
            <Proposed
              key={`${command.kind} ${command.command}`}
              {...{ command }}
              source={repository.source}
              commit={proposal.commit}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {fitting > 0 && (
          <>
            <RefusableButton refusal={refusal} pending={accept.isPending} onClick={onAccept}>
              Accept {fitting === 1 ? "1 command" : `${fitting} commands`}
            </RefusableButton>
            <RefusableButton refusal={refusal} variant="outline" onClick={() => onEdit(draft)}>
              Edit first
            </RefusableButton>
          </>
        )}
        <RefusableButton
          refusal={refusal}
          variant="outline"
          pending={discard.isPending}
          onClick={() => discard.mutate()}
        >
          {proposal.commands.length === 0 ? "Dismiss" : "Discard"}
        </RefusableButton>
      </div>
      {failure !== null && <ErrorAlert title="The proposal could not be changed" {...describeError(failure)} />}
    </section>
  );
}

function Proposed({
  command: { kind, command, outcome, note, duration_ms, evidence },
  source,
  commit,
}: {
  command: ProposedCommand;
  source: string;
  commit: string | null;
}) {
  const { label, icon: Icon, colour } = outcomes[outcome];
  const took = duration_ms === null ? "" : ` in ${(duration_ms / 1000).toFixed(1)} s`;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm">
      <Icon aria-hidden className={`mt-0.5 size-4 ${colour}`} />
      <div className="grid min-w-0 gap-0.5">
        <code className="whitespace-pre-wrap break-words">{command}</code>
        <span className="text-[13px] text-muted-foreground">
          {kind} · {label}
          {outcome === "not_tried" ? "" : took}
          {note !== null && `: ${note}`}
          {evidence.map(({ path, line }) => {
            const place = `${path}:${line}`;
            const href = evidenceHref(source, commit, path, line);
            return (
              <span key={place} className="break-all">
                {" · "}
                {href === null ? (
                  <code>{place}</code>
                ) : (
                  <a
                    href={href}
                    target="_blank"
                    rel="noreferrer"
                    className="text-link underline underline-offset-4 hover:no-underline"
                  >
                    {place}
                  </a>
                )}
              </span>
            );
          })}
        </span>
      </div>
    </li>
  );
}
