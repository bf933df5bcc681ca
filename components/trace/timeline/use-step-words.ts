import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { plainWordsOf } from "#components/text/markdown-nodes.ts";
import { entryView } from "#components/trace/entry/parts/entry-meaning.ts";
import { windowStart } from "#components/trace/reader/log-windows.ts";
import { useTrace } from "#components/trace/reader/trace-context.tsx";
import { useAllWindows } from "#components/trace/reader/use-log-windows.ts";
import { useSettled } from "#components/ui/use-settled.ts";
import type { LogWindowData } from "#lib/client/pages/log-queries.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { messageTextOf } from "#lib/entry/person-text.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";

/** Entries are requested when the steps have not changed for this long. */
const REST_MS = 150;
const charactersMax = 160;

/**
 * What each of these steps was about, in one line: its command, its file, or the first words of its text. Steps whose entries,
 * which are those of the trace, are not loaded yet are missing; a plan has none.
 */
export function useStepWords(seqs: readonly number[]): ReadonlyMap<number, string> {
  const windowQuery = useAllWindows(useTrace().source);
  const skips = useSettled([...new Set(seqs.map((seq) => windowStart(seq - 1)))].join(" "), REST_MS);
  const queries = skips === "" ? [] : skips.split(" ").map((skip) => windowQuery(Number(skip)));
  return useQueries({ queries, combine: wordsBySeq });
}

function wordsBySeq(results: UseQueryResult<LogWindowData, Error>[]): ReadonlyMap<number, string> {
  const entries = results.flatMap(({ data }) => data?.logs ?? []);
  return new Map(entries.map((entry) => [entry.seq, wordsOf(entry)]));
}

function wordsOf(entry: LogEntry): string {
  if (entry.message_type === "ACTION") return headlineOf(entryView(entry)).slice(0, charactersMax);
  const text = entry.thought ?? messageTextOf(entry.observation) ?? "";
  // A plan: its first item says nothing about this step.
  if (/^\s*[-*] \[/.test(text)) return "";
  return plainWordsOf(text.slice(0, 1000)).trim().split("\n", 1)[0]?.slice(0, charactersMax) ?? "";
}
