"use client";

import { Square } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { pullActionOf } from "#components/pulls/pull-action.ts";
import { useRunRefusal } from "#components/session/session.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useCancelRun } from "#lib/client/pages/mutations.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { MoreButtons, MoreMenu } from "./more-actions.tsx";

// Their code is loaded on first use.
const ShareDialog = lazyPart(async () => (await import("#components/share/share-dialog.tsx")).ShareDialog);
const OpenPullDialog = lazyPart(async () => (await import("#components/pulls/run-parts.ts")).OpenPullDialog);
const CancelDialog = lazyPart(async () => (await import("./cancel-dialog.tsx")).default);
const DeleteRun = lazyPart(async () => (await import("./delete-run.tsx")).DeleteRun);

type RunActionsProps = {
  orgId: number;
  run: Run;
  /** Reason this person may not act on the run, or null. */
  refusal: string | null;
  onRun: (run: Run) => void;
};

/** Actions available for a run now; the composer continues it. On a phone, all but Cancel are in one menu. */
export function RunActions({ orgId, run, refusal, onRun }: RunActionsProps) {
  const pushRefusal = useRunRefusal("push", run.user_id);
  const shareRefusal = useRunRefusal("share", run.user_id);
  const deleteRefusal = useRunRefusal("delete", run.user_id);
  const [dialog, setDialog] = useState<"pull" | "share" | "delete" | null>(null);
  const group = useRef<HTMLFieldSetElement>(null);
  const keptFocus = useKeptFocus(group);
  const more = {
    ...{ orgId, run, pullAction: pullActionOf(run), pushRefusal, shareRefusal, deleteRefusal },
    onPull: () => setDialog("pull"),
    onShare: () => setDialog("share"),
    onCopyLink: () => void copyLink(run.web_url),
    onDelete: () => setDialog("delete"),
  };
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-label="Actions"
      className="flex items-center gap-1.5 rounded-md"
      {...keptFocus}
    >
      {isLive(run) && <CancelRun orgId={orgId} run={run} refusal={refusal} onRun={onRun} />}
      <MoreButtons {...more} />
      <MoreMenu {...more} />
      <Suspense>
        {dialog === "pull" && run.repo_id !== null && (
          <OpenPullDialog {...{ orgId, run }} repoId={run.repo_id} onClose={() => setDialog(null)} />
        )}
        {dialog === "share" && <ShareDialog {...{ orgId, run }} onClose={() => setDialog(null)} />}
        {dialog === "delete" && <DeleteRun {...{ orgId, run }} onClose={() => setDialog(null)} />}
      </Suspense>
    </fieldset>
  );
}

function CancelRun({ orgId, run, refusal, onRun }: RunActionsProps) {
  const cancel = useCancelRun(orgId);
  const [isAsking, setAsking] = useState(false);
  // The request is recorded at once; the engine reads it a moment later and ends the open turn.
  const isUnderWay = cancel.isPending || cancel.data?.status === run.status;
  const send = () =>
    cancel.mutate(run.id, {
      onSuccess: (answer) => {
        setAsking(false);
        onRun(answer);
      },
      onError: () => setAsking(true),
    });
  return (
    <>
      <RefusableButton
        variant="outline"
        size="sm"
        refusal={refusal}
        pending={isUnderWay}
        // Cancelling a run that has not started loses nothing.
        onClick={() => (run.status === "queued" && run.total_logs === 0 ? send() : setAsking(true))}
      >
        {!isUnderWay && <Square aria-hidden />}
        {isUnderWay ? "Cancelling" : "Cancel"}
      </RefusableButton>
      {isAsking && (
        <Suspense>
          <CancelDialog {...{ run, cancel }} onConfirm={send} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

async function copyLink(address: string) {
  try {
    await navigator.clipboard.writeText(address);
    toast({ title: "Link copied" });
  } catch {
    // Browsers refuse the clipboard on plain http and without permission.
    toast({ tone: "info", title: "Copy the link from here", description: address });
  }
}
