"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment, useState } from "react";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { RunStatus } from "#components/runs/run-status.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useGenerateSetup } from "#lib/client/pages/setup-mutations.ts";
import { setupQuery } from "#lib/client/pages/setup-queries.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";
import type { Setup, SetupStatus } from "#lib/contract/repositories/setup.ts";
import { setupKinds } from "#lib/contract/words.ts";
import { PreparedPanel } from "./prepared-panel.tsx";
import { ProposalInBrief, ProposalPanel } from "./proposal-panel.tsx";
import type { SetupDraft } from "./setup-draft.ts";
import { Acceptance, kindWords, SetupEditor } from "./setup-editor.tsx";

/** Polling interval for a live generate run, in milliseconds. */
const LIVE_MS = 1000;

const words: Record<SetupStatus, { label: string; variant: "outline" | "waiting" | "completed" | "failed" }> = {
  none: { label: "None", variant: "outline" },
  proposed: { label: "Proposed", variant: "waiting" },
  ready: { label: "Ready", variant: "completed" },
  building: { label: "Preparing", variant: "waiting" },
  stale: { label: "Outdated", variant: "outline" },
  failed: { label: "Failed", variant: "failed" },
};

/** Setup commands of a repository: the current ones, the proposed ones, and a button to find some. */
export function SetupSection({ orgId, repository }: { orgId: number; repository: Repository }) {
  const found = useQuery({
    ...setupQuery(orgId, repository.id),
    refetchInterval: ({ state: { data } }) =>
      (data?.generate != null && isLive(data.generate)) || data?.setup_status === "building" ? LIVE_MS : false,
  });
  const { data: setup } = found;
  return (
    <section aria-labelledby="setup-heading" className="grid gap-4 border-border border-t pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="setup-heading" className="font-semibold text-base/6">
          Setup commands
        </h2>
        {setup !== undefined && (
          <Badge variant={words[setup.setup_status].variant}>{words[setup.setup_status].label}</Badge>
        )}
      </div>
      <LoadedPart query={found} what="the setup commands">
        {(loaded) => <SetupParts {...{ orgId, repository, setup: loaded }} />}
      </LoadedPart>
    </section>
  );
}

function SetupParts({ orgId, repository, setup }: { orgId: number; repository: Repository; setup: Setup }) {
  const refusal = useRefusal("repos:write");
  // Editing a proposal starts a new editor, and so does leaving it. `taken` is the proposal being edited, null if none is.
  const [editor, setEditor] = useState<{ id: number; taken: SetupDraft | null }>({ id: 0, taken: null });
  const [isChanged, setChanged] = useState(false);
  const { taken } = editor;
  const { proposal } = setup;
  const isToDecide = proposal?.open === true && proposal.commands.length > 0;
  const open = (draft: SetupDraft | null) => setEditor(({ id }) => ({ id: id + 1, taken: draft }));
  return (
    <>
      <p className="text-pretty text-muted-foreground text-sm">
        Install and build run in the checkout before an agent's first turn, maintenance before each later turn. Agents
        are given test and lint. Errand also runs them to check a run's work, if the pull request settings below say so.
      </p>
      <Generate {...{ orgId, repository, setup, refusal }} />
      <LastUse setup={setup} />
      {setup.accepted_at !== null && <PreparedPanel {...{ orgId, repository, setup, refusal }} />}
      {proposal !== null && taken !== null && <ProposalInBrief {...{ repository, proposal }} />}
      {proposal !== null && taken === null && (isToDecide || proposal.commands.length === 0) && (
        <ProposalPanel {...{ orgId, repository, setup, proposal, refusal }} onEdit={open} />
      )}
      {/* The form appears once the proposal is decided on or being edited, so only one place saves. A started draft stays. */}
      {isToDecide && taken === null && !isChanged ? (
        setup.accepted_at !== null && <AcceptedInBrief setup={setup} />
      ) : (
        <SetupEditor
          key={editor.id}
          {...{ orgId, setup, refusal, taken }}
          repoId={repository.id}
          onChanged={setChanged}
          onSaved={() => setEditor({ ...editor, taken: null })}
          onCancel={() => {
            open(null);
            setChanged(false);
          }}
        />
      )}
    </>
  );
}

/** The commands in use while a proposal is open. */
function AcceptedInBrief({ setup }: { setup: Setup }) {
  const kinds = setupKinds.filter((kind) => setup[kind].length > 0);
  return (
    <section aria-labelledby="accepted-heading" className="grid gap-2">
      <div className="grid gap-0.5">
        <h3 id="accepted-heading" className="font-medium text-sm">
          In use now
        </h3>
        <Acceptance setup={setup} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {kinds.map((kind) => (
          <Fragment key={kind}>
            <dt className="text-muted-foreground">{kindWords[kind].label}</dt>
            <dd className="grid gap-1">
              {setup[kind].map((command) => (
                <code key={command} className="whitespace-pre-wrap break-words">
                  {command}
                </code>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function Generate({
  orgId,
  repository,
  setup,
  refusal,
}: {
  orgId: number;
  repository: Repository;
  setup: Setup;
  refusal: string | null;
}) {
  const generate = useGenerateSetup(orgId, repository.id);
  const run = setup.generate;
  const live = run !== null && isLive(run);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <RefusableButton
          refusal={refusal}
          variant="outline"
          pending={generate.isPending || live}
          onClick={() => generate.mutate()}
        >
          {live ? "Finding and trying commands" : "Find setup commands"}
        </RefusableButton>
        {run !== null && (
          <span aria-live="polite" className="flex items-center gap-2 text-sm">
            <RunStatus status={run.status} />
            <Link href={`/runs/${run.agent_run_id}`} className="text-link underline-offset-4 hover:underline">
              Run #{run.agent_run_id}
            </Link>
          </span>
        )}
      </div>
      <p className="text-[13px] text-muted-foreground">
        Reads the files of the default branch and tries the commands they name. They run on the server as agents do:
        behind the wall if it works there, otherwise with the permissions of the user Errand runs as. Nothing is saved
        until you accept it.
      </p>
      {generate.error !== null && (
        <ErrorAlert title="The run could not be started" {...describeError(generate.error)} />
      )}
    </div>
  );
}

function LastUse({ setup: { last_use: use } }: { setup: Setup }) {
  if (use === null) return null;
  return (
    <p className="text-sm">
      {use.worked ? "Worked" : "Failed"} when last used, in{" "}
      <Link href={`/runs/${use.agent_run_id}`} className="text-link underline underline-offset-4 hover:no-underline">
        run #{use.agent_run_id}
      </Link>
      , <RelativeTime at={use.at} />
    </p>
  );
}
