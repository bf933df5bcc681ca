"use client";

import { KeepOpen, TitledDialog } from "#components/ui/dialog.tsx";
import { useCreateShare } from "#lib/client/pages/share-queries.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { NewShare } from "./new-share.tsx";
import { ShareForm } from "./share-form.tsx";
import { ShareRows } from "./share-rows.tsx";

type ShareDialogProps = { orgId: number; run: Run; onClose: () => void };

/** Creates and revokes links with which anyone can see a run. Open as long as it is rendered: closing it discards a new link. */
export function ShareDialog({ orgId, run, onClose }: ShareDialogProps) {
  const create = useCreateShare(orgId, run.id);
  const created = create.data ?? null;
  return (
    <TitledDialog
      title={created === null ? `Share run #${run.id}` : "The link is ready"}
      description={
        created === null
          ? "Anyone with the link can see what you choose here, without signing in. They cannot change anything."
          : "Copy it now: it will not be shown again. You can create another one at any time."
      }
      onClose={onClose}
      isKept={created !== null}
      className="max-w-xl"
    >
      <KeepOpen while={create.isPending} />
      {created === null ? (
        <>
          <ShareForm orgId={orgId} run={run} create={create} />
          <ShareRows orgId={orgId} runId={run.id} />
        </>
      ) : (
        <NewShare share={created} onDone={create.reset} />
      )}
    </TitledDialog>
  );
}
