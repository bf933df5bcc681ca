"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState, useSyncExternalStore } from "react";
import { callTrace, type TraceSource, traceKey } from "#lib/client/trace-source.ts";
import { externalAgent } from "#lib/contract/agent.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Run } from "#lib/contract/run.ts";
import { getLogs } from "#lib/contract/run-operations.ts";
import { type Message, mergeMessages, messagesIn, type Turn, turnsOf } from "./turns.ts";

/** Of a run with more messages than these pages hold, the first ones are listed. */
const pagesMax = 10;
const pageSize = 100;
/** Enough of a message to know it by, behind what may be injected before it. */
const clippedCharacters = 2_000;
/** Characters of the prompt in the list. */
const titleCharacters = 120;

/**
 * Where the turns of a run begin, as far as it is known. Nothing is asked for while there is but one; how many there are is not
 * counted where another system runs the agent.
 */
export function useTurns(source: TraceSource, run: Run, totalLogs: number, recent: readonly LogEntry[]): Turn[] {
  const isExternal = run.agent === externalAgent;
  const { data: found = noMessages } = useQuery({
    queryKey: [...traceKey(source), "turns"],
    queryFn: ({ signal }) => findMessages(source, signal),
    enabled: (run.turns > 1 || isExternal || (run.result_turn ?? 1) > 1) && totalLogs > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Only the newest entries are at hand as they came: the messages among them are kept.
  const [seen, setSeen] = useState<readonly Message[]>([]);
  const fresh = useMemo(() => messagesIn(recent), [recent]);
  if (fresh.some(({ seq }) => seen.every((known) => known.seq !== seq))) setSeen(mergeMessages(seen, fresh));
  // Of two lists on a page one may be hydrated when the other has read the messages: both begin as the server drew them.
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const listed = isHydrated ? found : noMessages;
  // An engine logs the message of each turn. One that is not there has not begun: its run was cancelled before its start.
  const isKnown = listed.length > 0 && !isExternal;
  const prompt = isKnown ? null : run.prompt.slice(0, titleCharacters);
  return useMemo(
    () => (totalLogs === 0 ? [] : turnsOf(mergeMessages(listed, seen), prompt)),
    [listed, seen, prompt, totalLogs],
  );
}

const noMessages: readonly Message[] = [];
const subscribeToNothing = () => () => {};

async function findMessages(source: TraceSource, signal: AbortSignal): Promise<Message[]> {
  const found: Message[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { message_type: "USER_MESSAGE", skip: page * pageSize, limit: pageSize, clip: clippedCharacters };
    const { logs } = await callTrace(source, getLogs, { query, signal });
    found.push(...messagesIn(logs));
    if (logs.length < pageSize) break;
  }
  return found;
}
