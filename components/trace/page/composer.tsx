"use client";

import { CornerDownLeft } from "lucide-react";
import { Suspense, useId, useRef, useState } from "react";
import { isSubmitKey } from "#components/keys/submit-key.ts";
import { useAttached } from "#components/runs/attach/use-attached.ts";
import { isTerminalSession } from "#components/runs/of-terminal.ts";
import { useCommandKey } from "#components/shell/palette-key.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { useDraft } from "#components/ui/use-draft.ts";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useResumeRun } from "#lib/client/pages/mutations.ts";
import { promptCharactersMax } from "#lib/contract/bounds.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import type { deliveries } from "#lib/contract/words.ts";

// Most viewed runs have ended and get no further message.
const ComposerLine = lazyPart(async () => (await import("./composer-line.tsx")).default);
const ComposerFiles = lazyPart(async () => (await import("./composer-files.tsx")).default);

type Delivery = (typeof deliveries)[number];

type ComposerProps = {
  orgId: number;
  run: Run;
  /** Reason this person may not write to the run, or null. */
  refusal: string | null;
  /** Called with the run after the message was accepted. */
  onRun: (run: Run, prompt: string) => void;
};

/** Input for the next turn: it continues an ended run, or waits its turn in a live one. */
export function Composer({ orgId, run, refusal, onRun }: ComposerProps) {
  const [text, setText, editDraft] = useDraft(`errand.draft.run.${run.id}`);
  const attached = useAttached(`errand.draft.run.${run.id}.files`);
  const field = useRef<HTMLTextAreaElement>(null);
  const resume = useResumeRun(orgId);
  const errorId = useId();
  const [delivery, setDelivery] = useState<Delivery>("next_step");
  // An agent's command only works at the beginning of a turn.
  const isSteering = run.steerable && delivery === "next_step" && !text.startsWith("/");
  const [isNear, setNear] = useState(false);
  const words = wordsFor(run, isSteering);
  const command = useCommandKey();
  // Messages cannot be delivered to a terminal session.
  if (refusal !== null || isTerminalSession(run)) {
    return (
      <p className="shrink-0 border-border border-t px-4 py-2.5 text-center text-[13px] text-muted-foreground">
        {refusal ?? "This session runs in someone’s terminal. Continue it there."}
      </p>
    );
  }

  const failure = describeError(resume.error);
  const messages = fieldMessages(resume.error, ["prompt"] as const);
  const fieldError =
    text.length > promptCharactersMax ? `must have at most ${promptCharactersMax} characters` : messages.prompt;
  const isReady = text.trim() !== "" && text.length <= promptCharactersMax && !resume.isPending && !attached.isReading;
  const send = async () => {
    if (!isReady) return;
    const { files } = attached;
    const body = {
      agent_run_id: run.id,
      prompt: text,
      ...(files.length > 0 ? { attachments: files } : {}),
      ...(isSteering ? { delivery } : {}),
    };
    attached.forgetRefusals();
    // The form shows why a message was not delivered.
    const onSuccess = (answer: Run) => onRun(answer, text);
    if ((await resume.mutateAsync(body, { onSuccess }).catch(() => null)) === null) return;
    // What was written and attached meanwhile is the next message.
    editDraft((now) => (now.startsWith(text) ? now.slice(text.length).trimStart() : now));
    attached.remove(files);
  };

  return (
    <form
      data-composer
      className="beside-details shrink-0 border-border border-t bg-background py-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="mx-auto grid max-w-[788px] gap-2">
        {resume.isError && messages.prompt === undefined && (
          <ErrorAlert
            // Without a request's id there was no response: the message may have arrived.
            title={`The message ${failure.requestId === null ? "may not have been" : "was not"} delivered`}
            {...failure}
          />
        )}
        <div className="flex items-end gap-2">
          <Textarea
            ref={field}
            {...attached.field}
            onFocus={() => setNear(true)}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (!isSubmitKey(event)) return;
              event.preventDefault();
              void send();
            }}
            rows={1}
            placeholder={words.label}
            aria-label={words.label}
            aria-invalid={fieldError !== undefined || undefined}
            aria-describedby={fieldError === undefined ? undefined : errorId}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            className={cn("max-h-[40dvh] min-h-9 flex-1 resize-none", attached.isOver && "outline-2 outline-ring")}
          />
          {/* Keeps the focus after sending; `send` ignores what is not ready. */}
          <Button type="submit" aria-disabled={!isReady} pending={resume.isPending} className="h-9">
            {words.button}
            <Kbd className="hidden border-transparent bg-transparent text-current opacity-70 sm:inline-flex">
              {command}
              <CornerDownLeft aria-hidden className="size-3" />
              <span className="sr-only">Enter</span>
            </Kbd>
          </Button>
        </div>
        {(attached.files.length > 0 || attached.refusals.length > 0) && (
          <Suspense>
            <ComposerFiles {...attached} onLeave={() => field.current?.focus()} />
          </Suspense>
        )}
        {run.agent !== externalAgent && (isLive(run) || isNear) && (
          <Suspense>
            <ComposerLine
              {...{ orgId, run, text, isSteering, isNear }}
              onSwitch={() => setDelivery(isSteering ? "next_turn" : "next_step")}
              onFiles={attached.add}
              onText={(next) => {
                setText(next);
                field.current?.focus();
              }}
            />
          </Suspense>
        )}
        {fieldError !== undefined && (
          <p id={errorId} role="alert" className="text-[13px] text-destructive">
            The message {fieldError}.
          </p>
        )}
      </div>
    </form>
  );
}

/** Effect of a message on the run: the field's label and placeholder, and the button. */
function wordsFor(run: Run, isSteering: boolean) {
  const live = isLive(run);
  if (isSteering) return { label: "Message the agent", button: "Send" };
  const button = live ? "Queue" : "Continue";
  if (run.agent === externalAgent) {
    return { label: "Leave a message for the external agent", button: live ? "Send" : button };
  }
  return { label: live ? "Queue a follow-up" : "Continue the run", button };
}
