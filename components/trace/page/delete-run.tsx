"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteRun } from "#lib/client/mutations.ts";
import type { Run } from "#lib/contract/run.ts";

/** Deletes a run that has ended, after confirmation, and goes to the list of runs. */
export function DeleteRun({ orgId, run, refusal }: { orgId: number; run: Run; refusal: string | null }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteRun(orgId);
  const router = useRouter();
  const onConfirm = () =>
    remove.mutate(run.id, {
      onSuccess: () => {
        toast({ title: `Run ${run.id} deleted` });
        router.push("/runs");
      },
    });
  return (
    <>
      {refusal === null ? (
        <IconButton label="Delete" size="icon-sm" onClick={() => setAsking(true)}>
          <Trash2 />
        </IconButton>
      ) : (
        <RefusableButton variant="ghost" size="icon-sm" refusal={refusal}>
          <Trash2 aria-hidden />
          <span className="sr-only">Delete</span>
        </RefusableButton>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Delete run ${run.id}?`}
          description="Its steps, prompts, changes, branch and share links are deleted for good, and so are runs that analyzed it. The audit log keeps that you deleted it."
          action="Delete run"
          dismiss="Keep"
          mutation={remove}
          failure="The run was not deleted"
          // After success the page is left.
          isBusy={remove.isPending || remove.isSuccess}
          onConfirm={onConfirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
