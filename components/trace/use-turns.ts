"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { callTrace, type TraceSource, traceKey } from "#lib/client/trace-source.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Run } from "#lib/contract/run.ts";
import { getLogs } from "#lib/contract/run-operations.ts";
import { mergeTurns, type Turn, turnsIn } from "./turns.ts";

/** Longer runs are searched for turns this far from their end; earlier ones are listed when they have been read. */
const pagesMax = 20;
const pageSize = 100;
/** Enough of a message to know it by. */
const titleCharacters = 120;

/** Where the turns of a run begin, as far as it is known. Nothing is asked for while there is but one. */
export function useTurns(source: TraceSource, run: Run, totalLogs: number, recent: readonly LogEntry[]): Turn[] {
  const { data: found = [] } = useQuery({
    queryKey: [...traceKey(source), "turns"],
    queryFn: ({ signal }) => findTurns(source, totalLogs, signal),
    enabled: run.turns > 1 && totalLogs > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Only the newest entries are at hand as they came: what they told of turns is kept.
  const [seen, setSeen] = useState<readonly Turn[]>([]);
  const fresh = useMemo(() => turnsIn(recent), [recent]);
  if (fresh.some(({ turn }) => seen.every((known) => known.turn !== turn))) setSeen(mergeTurns(seen, fresh));
  return useMemo(() => {
    const first: Turn[] = totalLogs === 0 ? [] : [{ turn: 1, seq: 1, title: run.prompt.slice(0, titleCharacters) }];
    return mergeTurns(mergeTurns(first, found), seen);
  }, [found, seen, run.prompt, totalLogs]);
}

/** Reads from the end backwards until the first turn, all strings cut short. */
async function findTurns(source: TraceSource, totalLogs: number, signal: AbortSignal): Promise<Turn[]> {
  let turns: Turn[] = [];
  for (let page = 0; page < pagesMax; page += 1) {
    const to = totalLogs - page * pageSize;
    const skip = Math.max(0, to - pageSize);
    if (to <= 0) break;
    const query = { skip, limit: to - skip, clip: titleCharacters };
    const { logs } = await callTrace(source, getLogs, { query, signal });
    turns = mergeTurns(turns, turnsIn(logs));
    if (turns[0]?.turn === 2) break;
  }
  return turns;
}
