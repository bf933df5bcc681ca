"use client";

import { useRouter } from "next/navigation";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteRun } from "#lib/client/pages/mutations.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Deletes a run that has ended, after confirmation, and goes to the list of runs. */
export function DeleteRun({ orgId, run, onClose }: { orgId: number; run: Run; onClose: () => void }) {
  const remove = useDeleteRun(orgId);
  const router = useRouter();
  const count = run.work_left_out;
  const lost =
    count === 0
      ? ""
      : `Its checkout holds work that is in no branch (${count === 1 ? "1 item" : `${count} items`}, named in its log): it will be lost. `;
  const onConfirm = () =>
    remove.mutate(run.id, {
      onSuccess: () => {
        toast({ title: `Run ${run.id} deleted` });
        router.push("/runs");
      },
    });
  return (
    <ConfirmDialog
      title={`Delete run ${run.id}?`}
      description={`${lost}Its steps, prompts, changes, branch and share links are permanently deleted. Runs that analyzed it are deleted too. The audit log records that you deleted it.`}
      action="Delete run"
      dismiss="Keep"
      mutation={remove}
      failure="The run was not deleted"
      // On success the page is left.
      isBusy={remove.isPending || remove.isSuccess}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
