"use client";

import { Send, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { isSubmitKey } from "#components/keys/submit-key.ts";
import { formatCountOf } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { useDraft } from "#components/ui/use-draft.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useResumeRunOnce } from "#lib/client/resume-once.ts";
import { promptCharactersMax } from "#lib/contract/bounds.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { type LinePlace, messageOf, placeWords, type ReviewComment, sendingKey } from "./review-comments.ts";

/** The lines being commented on. `isDone`: the selection is complete and the person starts to write. */
export type OpenComment = { path: string; place: LinePlace; code: string; isDone: boolean };

type CommentDockProps = {
  orgId: number;
  run: Run;
  open: OpenComment | null;
  comments: readonly ReviewComment[];
  onAdd: (comment: ReviewComment) => void;
  onRemove: (ids: readonly string[]) => void;
  onClose: () => void;
  /** Called with the run after the comments were sent. */
  onRun: (run: Run, prompt: string) => void;
};

/** Shown below the changes: the comment being written, and those to be sent together as one message. */
export function CommentDock({ orgId, run, open, comments, onAdd, onRemove, onClose, onRun }: CommentDockProps) {
  const resume = useResumeRunOnce(orgId);
  const [isListed, setListed] = useState(false);
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const keptFocus = useKeptFocus(list);
  if (open === null && comments.length === 0) return null;
  const message = messageOf(comments);
  const isTooLong = message.length > promptCharactersMax;
  // Another page of this browser may be sending the same comments.
  const key = sendingKey(run.id, comments);
  const send = () => {
    const ids = comments.map(({ id }) => id);
    // Sent comments are removed also if the reader has left the run by then. An error is shown by the dock.
    resume
      .mutateAsync(
        { key, body: { agent_run_id: run.id, prompt: message } },
        { onSuccess: (answer) => onRun(answer, message) },
      )
      .then(
        () => onRemove(ids),
        () => {},
      );
  };
  return (
    <section
      aria-label="Comments"
      className="beside-details max-h-[45dvh] shrink-0 overflow-y-auto border-border border-t bg-background py-2"
    >
      <div className="mx-auto grid max-w-[788px] grid-cols-1 gap-2">
        {open !== null && <CommentForm key={run.id} {...{ run, open, onAdd, onClose }} />}
        {comments.length > 0 && (
          <>
            {resume.isError && resume.variables.key === key && (
              <ErrorAlert title="The comments were not sent" {...describeError(resume.error)} />
            )}
            {isTooLong && (
              <p role="alert" className="text-[13px] text-destructive">
                The comments total {message.length.toLocaleString("en-US")} characters; a message can have at most{" "}
                {promptCharactersMax.toLocaleString("en-US")}. Remove some comments.
              </p>
            )}
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Disclosure
                label={formatCountOf(comments.length, "comment")}
                isOpen={isListed}
                onChange={setListed}
                controls={isListed ? listId : undefined}
                className="-ml-2 font-normal text-foreground"
              />
              <Button size="sm" pending={resume.isPending} disabled={isTooLong} onClick={send}>
                <Send aria-hidden />
                Send to the agent
              </Button>
              {isListed && (
                <ul
                  id={listId}
                  ref={list}
                  tabIndex={-1}
                  aria-label="Comments to be sent"
                  className="grid w-full grid-cols-1 text-[13px]"
                  {...keptFocus}
                >
                  {comments.map((comment) => (
                    <li key={comment.id} className="flex items-start gap-2 border-border border-b py-1 last:border-b-0">
                      <div className="min-w-0 flex-1">
                        <p className="text-muted-foreground [overflow-wrap:anywhere]">
                          <code>
                            <VisibleText text={comment.path} />
                          </code>
                          , {placeWords(comment)}
                        </p>
                        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
                          <VisibleText text={comment.text} />
                        </p>
                      </div>
                      <IconButton label="Remove comment" size="icon-sm" onClick={() => onRemove([comment.id])}>
                        <X />
                      </IconButton>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </>
        )}
      </div>
    </section>
  );
}

type CommentFormProps = Pick<CommentDockProps, "run" | "onAdd" | "onClose"> & { open: OpenComment };

function CommentForm({ run, open, onAdd, onClose }: CommentFormProps) {
  const [text, setText] = useDraft(`errand.draft.comment.${run.id}`);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (open.isDone) field.current?.focus();
  }, [open]);
  const add = () => {
    if (text.trim() === "") return;
    onAdd({
      id: crypto.randomUUID?.() ?? String(Math.random()),
      path: open.path,
      ...open.place,
      code: open.code,
      text,
    });
    setText("");
    onClose();
  };
  return (
    <form
      data-comment-form=""
      className="grid grid-cols-1 gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label htmlFor={id} className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
        Comment on{" "}
        <code className="text-foreground">
          <VisibleText text={open.path} />
        </code>
        , {placeWords(open.place)}
      </label>
      <Textarea
        id={id}
        ref={field}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !isComposing(event.nativeEvent)) onClose();
          if (!isSubmitKey(event)) return;
          event.preventDefault();
          add();
        }}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        className="max-h-40 min-h-14"
      />
      <div className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="outline" size="sm" disabled={text.trim() === ""}>
          Add comment
        </Button>
      </div>
    </form>
  );
}
