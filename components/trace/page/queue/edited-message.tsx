"use client";

import { useQueryClient } from "@tanstack/react-query";
import { VisibleText } from "#components/text/visible-text.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { ClientError, describeError } from "#lib/client/client-error.ts";
import { useResumeRun } from "#lib/client/pages/mutations.ts";
import { useEditTurn } from "#lib/client/pages/queue-mutations.ts";
import { runQuery } from "#lib/client/pages/run-queries.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";
import { MessageEditor } from "./message-editor.tsx";

/** A message being edited: the turn when the edit began, and the text so far. */
export type Edit = { turn: QueuedTurn; text: string };

type EditedMessageProps = {
  orgId: number;
  run: Run;
  edit: Edit;
  /** The current turn. */
  turn: QueuedTurn;
  /** The turn has left the queue: the text can only be sent as a new message. */
  hasBegun: boolean;
  onEdit: (edit: Edit) => void;
  onRun: (run: Run) => void;
  onSent: (run: Run) => void;
  onClose: () => void;
};

/** Editor of a queued message. Typed text is never lost: neither to another person's edit, nor to the start of the turn. */
export function EditedMessage({
  orgId,
  run,
  edit,
  turn,
  hasBegun,
  onEdit,
  onRun,
  onSent,
  onClose,
}: EditedMessageProps) {
  const save = useEditTurn(orgId, run.id);
  const resume = useResumeRun(orgId);
  const client = useQueryClient();
  const readRun = () => client.fetchQuery({ ...runQuery(orgId, run.id), staleTime: 0 });
  const isConflict = save.error instanceof ClientError && save.error.status === 409;
  // Once another person's version has been shown, saving again replaces it.
  const revision = isConflict ? turn.revision : edit.turn.revision;
  const onSave = () => {
    if (hasBegun) {
      const more = {
        onSuccess: (answer: Run) => {
          onSent(answer);
          onClose();
        },
      };
      return resume.mutate({ agent_run_id: run.id, prompt: edit.text }, more);
    }
    save.mutate(
      { turn: edit.turn.number, prompt: edit.text, revision },
      {
        onSuccess: () => {
          onClose();
          // The prompt of turn 1 is the run's.
          if (edit.turn.number === 1) void readRun().then(onRun, () => undefined);
        },
      },
    );
  };
  const problem = hasBegun ? (
    <p role="alert" className="text-[13px]">
      The agent already has this message, or it was removed. You can send your text as a new one.
      {resume.isError && ` ${describeError(resume.error).detail}`}
    </p>
  ) : isConflict && turn.revision !== edit.turn.revision ? (
    <div role="alert" className="grid gap-1 text-[13px]">
      <p>Someone else changed this message. It now says:</p>
      <p className="max-h-24 overflow-y-auto whitespace-pre-wrap border-border border-l-2 pl-2 text-muted-foreground">
        <VisibleText text={turn.prompt} />
      </p>
    </div>
  ) : save.isError && !isConflict ? (
    <ErrorAlert title="The message was not saved" {...describeError(save.error)} />
  ) : null;
  const saveLabel = hasBegun ? "Send as a new message" : isConflict ? "Replace theirs" : "Save";
  return (
    <div className="rounded-lg border border-border bg-card p-2">
      <MessageEditor
        label="Queued message"
        text={edit.text}
        isSaving={save.isPending || resume.isPending}
        {...{ saveLabel, problem, onSave }}
        onText={(text) => onEdit({ ...edit, text })}
        onCancel={onClose}
      />
    </div>
  );
}
