"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSession } from "#components/session/session.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useWithdrawTurns } from "#lib/client/pages/queue-mutations.ts";
import { queueQuery } from "#lib/client/pages/queue-queries.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { mayAct as mayActOn } from "#lib/contract/runs/run-acts.ts";
import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";
import { begunBetween, highestNumber, type SeenQueue, withdrawnOf } from "./begun-turn.ts";
import { type Edit, EditedMessage } from "./edited-message.tsx";
import { HeldChoice } from "./held-choice.tsx";
import { QueuedCard } from "./queued-card.tsx";
import { type SentMessage, useOnItsWay } from "./sent-message.ts";
import { messagesIn } from "./turns.ts";

type QueuedMessagesProps = {
  orgId: number;
  run: Run;
  /** The newest live entries. */
  recent: readonly LogEntry[];
  totalLogs: number;
  refusal: string | null;
  /** The last message sent from this page. */
  sent: SentMessage | null;
  /** Called with the run after a change of its queue. */
  onRun: (run: Run) => void;
  /** Called with the run after something was sent to the agent. */
  onSent: (run: Run) => void;
  /** Gets the focus when the pressed button has been removed. */
  onLeave: () => void;
};

/** Messages that the agent has not received yet, above the composer: those waiting and those on hold. */
export function QueuedMessages({
  orgId,
  run,
  recent,
  totalLogs,
  refusal,
  sent,
  onRun,
  onSent,
  onLeave,
}: QueuedMessagesProps) {
  const { user, role } = useSession();
  const { data, isPlaceholderData } = useQuery(queueQuery(orgId, run));
  const items = data?.items ?? noItems;
  const starting = useStarting(isPlaceholderData ? null : items, run, recent, totalLogs);
  const onItsWay = useOnItsWay(sent, isLive(run), { items, starting, recent, totalLogs });
  /** Messages being edited, by the numbers of their turns. */
  const [edits, setEdits] = useState<ReadonlyMap<number, Edit>>(new Map());
  const withdraw = useWithdrawTurns(orgId, run.id);
  const waiting = items.filter(({ state }) => state === "waiting");
  const held = items.filter(({ state }) => state === "held");
  const begun =
    data === undefined
      ? []
      : [...edits.values()].filter(({ turn }) => items.every(({ number }) => number !== turn.number));
  const more = (data?.total ?? 0) - items.length;
  const mayAct = refusal === null;
  const mayEdit = (turn: QueuedTurn) =>
    mayAct && turn.delivery !== "on_its_way" && mayActOn(role, "edit_message", turn.user_id === user.id);
  if (items.length === 0 && starting === null && begun.length === 0 && onItsWay === null) return null;

  const change = (number: number, edit: Edit | null) =>
    setEdits((before) => {
      const others = [...before].filter(([other]) => other !== number);
      return new Map(edit === null ? others : [...others, [number, edit]]);
    });
  const editor = (edit: Edit, turn: QueuedTurn, hasBegun: boolean) => (
    <EditedMessage
      key={turn.number}
      {...{ orgId, run, edit, turn, hasBegun, onRun, onSent }}
      onEdit={(next) => change(turn.number, next)}
      onClose={() => {
        change(turn.number, null);
        onLeave();
      }}
    />
  );
  const card = (turn: QueuedTurn) => {
    const edit = edits.get(turn.number);
    return (
      <li key={turn.number}>
        {edit !== undefined ? (
          editor(edit, turn, false)
        ) : (
          <QueuedCard
            {...{ turn }}
            userId={user.id}
            onEdit={mayEdit(turn) ? () => change(turn.number, { turn, text: turn.prompt }) : null}
            // A queued run needs a turn, so it can only be cancelled.
            onRemove={
              mayEdit(turn) && !(run.status === "queued" && waiting.length === 1 && turn.state === "waiting")
                ? () =>
                    withdraw.mutate([turn.number], {
                      onSuccess: (answer) => {
                        if (answer !== null) onRun(answer);
                        onLeave();
                      },
                    })
                : null
            }
            isRemoving={withdraw.isPending && withdraw.variables?.[0] === turn.number}
          />
        )}
      </li>
    );
  };
  return (
    <section
      aria-label="Queued messages"
      className="beside-details shrink-0 border-border border-t bg-background pt-2.5"
    >
      <div className="mx-auto grid max-h-[40dvh] max-w-[788px] gap-2 overflow-y-auto pb-2.5" {...scrolledByKeyboard}>
        <p role="status" className="sr-only">
          {waiting.length > 0 && `${formatCountOf(waiting.length, "message")} queued. `}
          {held.length > 0 && `${formatCountOf(held.length, "message")} not sent.`}
        </p>
        {(waiting.length > 0 || starting !== null || onItsWay !== null) && (
          <>
            <p className="text-muted-foreground text-xs">{waitingWords(run, waiting)}</p>
            <ul className="grid gap-2">
              {starting !== null && (
                <li>
                  <QueuedCard turn={starting} userId={user.id} isStarting onEdit={null} onRemove={null} />
                </li>
              )}
              {waiting.map(card)}
              {onItsWay !== null && (
                <li>
                  <QueuedCard
                    turn={{ ...ownTurn, prompt: onItsWay.prompt, user_id: user.id }}
                    userId={user.id}
                    isStarting={run.queued_turns === 0}
                    onEdit={null}
                    onRemove={null}
                  />
                </li>
              )}
            </ul>
          </>
        )}
        {held.length > 0 && (
          <>
            <HeldChoice
              {...{ orgId, run, mayAct, onRun, onSent }}
              held={held.map(({ number }) => number)}
              onDone={onLeave}
            />
            <ul className="grid gap-2">{held.map(card)}</ul>
          </>
        )}
        {more > 0 && <p className="text-muted-foreground text-xs">{formatCountOf(more, "more message")}</p>}
        {begun.map((edit) => editor(edit, edit.turn, true))}
        {withdraw.isError && <ErrorAlert title="The message was not removed" {...describeError(withdraw.error)} />}
      </div>
    </section>
  );
}

const noItems: readonly QueuedTurn[] = [];

/** Preview of a message that the server has not confirmed yet. */
const ownTurn = { model: null, image_count: 0, attachments: [], user_name: null, delivery: "next_turn" as const };

function waitingWords(run: Run, waiting: readonly QueuedTurn[]): string {
  // No agent works on an evaluating run.
  if (run.status === "queued" || run.status === "evaluating") return "Waiting to start";
  if (waiting.length > 0 && waiting.every(({ delivery }) => delivery !== "next_turn"))
    return "At the agent's next step";
  return isLive(run) ? "Next, when the agent is done" : "Queued";
}

/** Number of entries after which a started turn counts as logged, even if its message was not seen. */
const logsUnseenMax = 100;

/** A turn that seems to have started, with the state of the queue and the log at that moment. */
type Begun = { turn: QueuedTurn; numberMax: number; withdrawn: number; totalLogs: number };

/**
 * The turn that has started but whose message is not in the log yet: it stays visible until the log shows it. `items` null: the
 * queue is loading.
 */
function useStarting(
  items: readonly QueuedTurn[] | null,
  run: Run,
  recent: readonly LogEntry[],
  totalLogs: number,
): QueuedTurn | null {
  const { turns } = run;
  const [seen, setSeen] = useState<SeenQueue>({ items: items ?? noItems, turns });
  const [begun, setBegun] = useState<Begun | null>(null);
  // The list may be ahead of the run: then the turn was withdrawn, and another one may have been added since.
  if (begun !== null && withdrawnOf({ items: items ?? noItems, turns }, begun.numberMax) > begun.withdrawn)
    setBegun(null);
  if (items !== null && (seen.items !== items || seen.turns !== turns)) {
    const now = { items, turns };
    const turn = begunBetween(seen, now);
    const numberMax = highestNumber(items, highestNumber(seen.items));
    if (turn !== null) setBegun({ turn, numberMax, withdrawn: numberMax - turns, totalLogs });
    setSeen(now);
  }
  const isLogged = useMemo(
    () => begun !== null && messagesIn(recent).some(({ turn }) => turn === begun.turn.number),
    [begun, recent],
  );
  // The first message is shown in the list of steps from the start.
  if (begun !== null && totalLogs === 0 && begun.turn.prompt === run.prompt) return null;
  if (begun === null || !isLive(run) || isLogged || totalLogs > begun.totalLogs + logsUnseenMax) return null;
  return begun.turn;
}
