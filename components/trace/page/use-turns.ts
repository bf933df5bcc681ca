"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useIsInBrowser } from "#components/ui/use-is-in-browser.ts";
import { callTrace, type TraceSource, turnsKey } from "#lib/client/pages/trace-source.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { type Message, mergeMessages, messagesIn, type Turn, turnsOf } from "./queue/turns.ts";

/** If a run has more messages than these pages hold, the first ones are listed. */
const pagesMax = 10;
const pageSize = 100;
/** Enough of a message to recognize it, after any injected text. */
const clippedCharacters = 2_000;
/** Characters of the prompt in the list. */
const titleCharacters = 120;

/**
 * Starts of a run's turns, as far as known. Requests nothing while there is only one turn, except for external runs, whose number
 * of turns is not reliable.
 */
export function useTurns(source: TraceSource, run: Run, totalLogs: number, recent: readonly LogEntry[]): Turn[] {
  const isExternal = run.agent === externalAgent;
  const { data: { messages: found } = nothing } = useQuery({
    queryKey: turnsKey(source),
    queryFn: ({ signal }) => findMessages(source, signal),
    enabled: (run.turns > 1 || isExternal || (run.result_turn ?? 1) > 1) && totalLogs > 1,
    // Live entries are seen as they come; those logged while the page was left are not.
    staleTime: ({ state: { data } }) =>
      data !== undefined && data.totalLogs >= totalLogs ? Number.POSITIVE_INFINITY : 0,
  });
  // Only the newest live entries are available: collect the messages among them.
  const [seen, setSeen] = useState<readonly Message[]>([]);
  const fresh = useMemo(() => messagesIn(recent), [recent]);
  if (fresh.some(({ seq }) => seen.every((known) => known.seq !== seq))) setSeen(mergeMessages(seen, fresh));
  // One of two lists on a page may be hydrated after the other has loaded the messages: both must start as the server rendered
  // them.
  const isHydrated = useIsInBrowser();
  const listed = isHydrated ? found : noMessages;
  // An engine logs the message of each turn it starts. If one is missing, the run was cancelled before that turn.
  const isKnown = listed.length > 0 && !isExternal;
  const prompt = isKnown ? null : run.prompt.slice(0, titleCharacters);
  return useMemo(
    () => (totalLogs === 0 ? [] : turnsOf(mergeMessages(listed, seen), prompt)),
    [listed, seen, prompt, totalLogs],
  );
}

const noMessages: readonly Message[] = [];
const nothing = { messages: noMessages };

/** The messages of a run that had so many entries. */
type FoundMessages = { messages: Message[]; totalLogs: number };

async function findMessages(source: TraceSource, signal: AbortSignal): Promise<FoundMessages> {
  const messages: Message[] = [];
  let totalLogs = 0;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { message_type: "USER_MESSAGE", skip: page * pageSize, limit: pageSize, clip: clippedCharacters };
    const { logs, total_logs } = await callTrace(source, "getLogs", { query, signal });
    totalLogs = page === 0 ? total_logs : totalLogs;
    messages.push(...messagesIn(logs));
    if (logs.length < pageSize) break;
  }
  return { messages, totalLogs };
}
