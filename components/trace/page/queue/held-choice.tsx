"use client";

import { CirclePause } from "lucide-react";
import { useRef, useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useSendQueue, useWithdrawTurns } from "#lib/client/pages/queue-mutations.ts";
import type { Run } from "#lib/contract/runs/run.ts";

type HeldChoiceProps = {
  orgId: number;
  run: Run;
  /** Numbers of the held turns. */
  held: readonly number[];
  /** False if the person may only look. */
  mayAct: boolean;
  onRun: (run: Run) => void;
  onSent: (run: Run) => void;
  /** Called when the held messages were sent or discarded: the pressed button has been removed. */
  onDone: () => void;
};

/** Reason the messages are on hold, or until when, for a run with this status. */
function reasonOf(status: Run["status"], count: number): string {
  const isOne = count === 1;
  if (status === "cancelled" || status === "interrupted")
    return `The run was ${status} before ${isOne ? "it was" : "they were"} sent.`;
  return isOne ? "It stays on hold until you send it." : "They stay on hold until you send them.";
}

/** Label of the buttons that discard this many messages. */
function discardLabel(count: number): string {
  if (count === 1) return "Discard";
  return count === 2 ? "Discard both" : "Discard all";
}

/** Choice for held messages: send or discard. */
export function HeldChoice({ orgId, run, held, mayAct, onRun, onSent, onDone }: HeldChoiceProps) {
  const send = useSendQueue(orgId, run.id, (answer) => {
    onSent(answer);
    onDone();
  });
  const discard = useWithdrawTurns(orgId, run.id);
  const [isAsking, setAsking] = useState(false);
  const isDiscarded = useRef(false);
  const messages = formatCountOf(held.length, "message");
  const live = isLive(run);
  const onDiscard = () =>
    discard.mutate(held, {
      onSuccess: (answer) => {
        isDiscarded.current = true;
        setAsking(false);
        if (answer !== null) onRun(answer);
      },
    });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <CirclePause aria-hidden className="size-4 shrink-0 text-status-waiting" />
        <p className="min-w-0 flex-1 basis-56">
          <span className="font-medium">{messages} on hold.</span>{" "}
          <span className="text-muted-foreground">{reasonOf(run.status, held.length)}</span>
        </p>
        {mayAct && (
          <div className="flex gap-2">
            <Button
              size="sm"
              variant={live ? "outline" : "default"}
              pending={send.isPending}
              onClick={() => send.mutate()}
            >
              {live ? "Send next" : `Send ${messages}`}
            </Button>
            <Button size="sm" variant="outline" onClick={() => setAsking(true)}>
              {discardLabel(held.length)}
            </Button>
          </div>
        )}
      </div>
      {send.isError && <ErrorAlert title="Nothing was sent" {...describeError(send.error)} />}
      {isAsking && (
        <ConfirmDialog
          title={`Discard ${messages}?`}
          description="The agent will not see the text, and it cannot be restored."
          action={discardLabel(held.length)}
          dismiss="Keep"
          mutation={discard}
          failure="Not all messages were discarded"
          onConfirm={onDiscard}
          onClose={() => setAsking(false)}
          onCloseAutoFocus={(event) => {
            if (!isDiscarded.current) return;
            // The button that opened the dialog has been removed.
            event.preventDefault();
            onDone();
          }}
        />
      )}
    </div>
  );
}
