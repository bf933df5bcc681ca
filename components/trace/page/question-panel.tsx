"use client";

import { MessageCircleQuestionMark } from "lucide-react";
import { useLayoutEffect, useMemo, useRef } from "react";
import { formatDuration } from "#components/shell/format-time.ts";
import { useClock } from "#components/shell/use-clock.ts";
import { JsonTree } from "#components/text/json-tree.tsx";
import { LazyCode } from "#components/text/lazy-code.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { ChangedFileDiff, changedFilesOf } from "#components/trace/entry/tools/changed-files.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useAnswerQuestion } from "#lib/client/pages/mutations.ts";
import type { OpenQuestion } from "#lib/contract/runs/question.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { type AskedRequest, askedRequestOf } from "#lib/entry/asked-request.ts";
import { questionWords } from "./question-words.ts";

type QuestionPanelProps = {
  orgId: number;
  runId: number;
  question: OpenQuestion;
  refusal: string | null;
  onRun: (run: Run) => void;
};

const order: OpenQuestion["options"][number]["kind"][] = ["allow_once", "allow_always", "reject_once", "reject_always"];

/** The agent's permission request, always in view. */
export function QuestionPanel({ orgId, runId, question, refusal, onRun }: QuestionPanelProps) {
  const answer = useAnswerQuestion(orgId, runId);
  const asked = useMemo(() => askedRequestOf(question), [question]);
  const options = question.options.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const isAnswered = question.answered || answer.isPending || answer.isSuccess;
  const section = useKeptFocus();
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="question-title"
      className="beside-details shrink-0 border-border border-t bg-background py-3 outline-none"
    >
      <div className="mx-auto grid max-w-[788px] gap-2.5 rounded-lg border border-status-waiting/50 bg-card p-3">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <MessageCircleQuestionMark aria-hidden className="size-4 shrink-0 text-status-waiting" />
          <h2 id="question-title" className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
            <span className="sr-only">The agent asks: </span>
            {questionWords(asked.view.kind, new Set(asked.changes.map(({ path }) => path)).size)}
          </h2>
          {question.answered ? <Answered /> : <TimeLeft expiresAt={question.expires_at} />}
        </div>
        <div
          className="max-h-[30dvh] min-h-0 overflow-auto rounded-md border border-border bg-code"
          {...scrolledByKeyboard}
        >
          <QuestionBody {...{ question, asked }} />
        </div>
        {answer.isError && <ErrorAlert title="The answer was not delivered" {...describeError(answer.error)} />}
        {refusal !== null ? (
          <p className="text-[13px] text-muted-foreground">{refusal}</p>
        ) : (
          <div className="flex flex-wrap gap-2">
            {options.map((option) => (
              <Button
                key={option.id}
                variant={option.kind === "allow_once" ? "default" : "outline"}
                // Not `disabled`, which would lose the focus.
                aria-disabled={isAnswered}
                pending={isAnswered && answer.variables?.option_id === option.id}
                onClick={() => {
                  if (isAnswered) return;
                  answer.mutate({ question_id: question.id, option_id: option.id }, { onSuccess: onRun });
                }}
              >
                <VisibleText text={option.name} />
              </Button>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

/** Whether the last panel that was removed had the focus. */
let hadFocus = false;

/**
 * A panel that is answered is removed with the focus in it: then the next question gets the focus, so that Tab leads to its options,
 * or the steps do until it comes.
 */
function useKeptFocus() {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const panel = section.current;
    if (hadFocus && [null, document.body, stepsOf()].includes(document.activeElement as HTMLElement | null)) {
      panel?.focus({ preventScroll: true });
    }
    hadFocus = false;
    return () => {
      hadFocus = panel?.contains(document.activeElement) ?? false;
      if (!hadFocus) return;
      queueMicrotask(() => {
        const steps = stepsOf();
        // The page itself has gone.
        if (steps === null) hadFocus = false;
        else if (hadFocus) steps.focus({ preventScroll: true });
      });
    };
  }, []);
  return section;
}

function stepsOf(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-view-area]");
}

type QuestionBodyProps = { question: OpenQuestion; asked: AskedRequest };

/** The complete request: nobody should allow something they cannot see. */
function QuestionBody({ question, asked: { view, changes, changesTotal, title, rest } }: QuestionBodyProps) {
  const { tool_name, text, locations, locations_total } = question;
  const files = useMemo(() => changedFilesOf({ changes }), [changes]);
  let before = 0;
  return (
    <>
      {tool_name !== null && (
        <p className="px-3 pt-1.5 text-muted-foreground text-xs">
          <VisibleText text={tool_name} />
        </p>
      )}
      {title !== null && (
        <p className="px-3 pt-1.5 text-[13px] [overflow-wrap:anywhere]">
          <VisibleText text={title} />
        </p>
      )}
      {text !== null && (
        <p className="whitespace-pre-wrap px-3 pt-1.5 text-[13px] [overflow-wrap:anywhere]">
          <VisibleText text={text} />
        </p>
      )}
      {locations_total > 0 && (
        <ul aria-label="Files" className="px-3 pt-1.5 font-mono text-[13px] [overflow-wrap:anywhere]">
          {locations.map(({ path, line }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <li key={at}>
              <VisibleText text={line === null ? path : `${path}:${line}`} />
            </li>
          ))}
          {locations_total > locations.length && <li>{`and ${locations_total - locations.length} more files`}</li>}
        </ul>
      )}
      {view.kind === "shell" && <LazyCode text={view.command} language={view.language} />}
      {files.map((file) => {
        const first = before + 1;
        before += file.changes.length;
        return (
          <div key={file.key} className="mt-1.5">
            <p className="px-3 text-muted-foreground text-xs">{diffWords(first, before, changesTotal)}</p>
            <ChangedFileDiff file={file} isNamed head={10_000} />
          </div>
        );
      })}
      {changesTotal > before && (
        <p className="px-3 py-1.5 text-[13px]">{`${changesTotal - before} more diffs are not shown.`}</p>
      )}
      {rest !== null && <JsonTree value={rest} label="What the agent wants to do" />}
    </>
  );
}

function diffWords(first: number, last: number, total: number): string {
  return first === last ? `Diff ${first} of ${total}` : `Diffs ${first} to ${last} of ${total}`;
}

/** Shown when the question may have been answered by somebody else, until the agent continues. */
function Answered() {
  return (
    <span role="status" className="text-[13px] text-muted-foreground">
      Answered
    </span>
  );
}

function TimeLeft({ expiresAt }: { expiresAt: string }) {
  const expiresMs = Date.parse(expiresAt);
  const words = useClock((nowMs) => (expiresMs <= nowMs ? "time is up" : `${formatDuration(expiresMs - nowMs)} left`));
  return (
    <span
      className="whitespace-nowrap text-[13px] text-muted-foreground tabular-nums"
      title="After that it counts as rejected"
      suppressHydrationWarning
    >
      {words}
    </span>
  );
}
