"use client";

import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { isTerminalSession } from "#components/runs/of-terminal.ts";
import type { useCancelRun } from "#lib/client/pages/mutations.ts";
import type { Run } from "#lib/contract/runs/run.ts";

type CancelDialogProps = {
  run: Run;
  cancel: ReturnType<typeof useCancelRun>;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before a run is cancelled. */
export default function CancelDialog({ run, cancel, onConfirm, onClose }: CancelDialogProps) {
  return (
    <ConfirmDialog
      title="Cancel this run?"
      description={
        <>
          {isTerminalSession(run)
            ? "This ends the run here. The terminal session keeps running, and its activity is still logged."
            : run.status === "evaluating"
              ? "Errand stops watching its checks. What was pushed stays on the code host, and the run can be continued."
              : "This stops the agent and everything it started. The work so far is kept, and the run can be continued."}
          {run.queued_turns > 0 && " Queued messages are kept too: you can send or discard them."}
        </>
      }
      action="Cancel run"
      dismiss="Keep running"
      mutation={cancel}
      failure="The run could not be cancelled"
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
