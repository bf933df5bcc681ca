import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import type { LogsFilter } from "#lib/client/filtered-log-queries.ts";
import type { FoundHits } from "#lib/client/find-filtered.ts";
import { findHits, findQuery, hitsPageSize, type Search } from "#lib/client/find-queries.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { besideInPage, type Cursor, type Direction, hasWrapped, pageBeside, rankOf } from "./find-cursor.ts";
import { needleOf } from "./find-text.ts";
import type { FindTarget, FindTargets } from "./sought.tsx";

/** A pause in typing after which is searched. */
const TYPING_PAUSE_MS = 60;
/** Nothing longer is looked for. */
export const findCharactersMax = 200;

type FindOptions = {
  source: TraceSource;
  totalLogs: number;
  reader: TraceReader;
  targets: FindTargets;
  /** Which entries are shown; null for all. Keep its identity. */
  filter: LogsFilter | null;
  /** Whether it is open at first, what is looked for then, and from which entry on. */
  initial: { isOpen: boolean; text: string | null; entry: number | null };
};

/** A search in the run and where in it the reader is. */
export type Find = {
  isOpen: boolean;
  open: (text?: string) => void;
  close: () => void;
  text: string;
  setText: (text: string) => void;
  /** What is searched; empty while nothing is. */
  q: string;
  /** As it is compared. */
  needle: string;
  /** What is known of the search; null until something is. */
  found: FoundHits | null;
  target: FindTarget | null;
  cursor: Cursor | null;
  /** How many hits stand before the present one; null while that is not known. */
  rank: number | null;
  /** The last step led past an end of the run. */
  wrapped: Direction | null;
  /** A step is being looked up. */
  isStepping: boolean;
  step: (direction: Direction) => void;
  error: Error | null;
};

/** Looks for a text in a run: counts it, and goes from entry to entry that holds it. */
export function useFind({ source, totalLogs, reader, targets, filter, initial }: FindOptions): Find {
  const [isOpen, setOpen] = useState(initial.isOpen);
  const [text, setTyped] = useState(initial.text ?? "");
  const [search, setSearch] = useState(() => placeOf(initial.text ?? "", initial.entry ?? 1));
  const [cursor, setCursor] = useState<SearchCursor | null>(null);
  const [target, setTarget] = useState<FindTarget | null>(null);
  const [wrapped, setWrapped] = useState<Direction | null>(null);
  const [failed, setFailed] = useState<Error | null>(null);
  const [isStepping, setStepping] = useState(false);
  const stepping = useRef<AbortController | null>(null);
  const typing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const q = search?.q ?? "";
  // Another filter is another search, from the hit that was shown.
  const [filtered, setFiltered] = useState(filter);
  if (filtered !== filter) {
    setFiltered(filter);
    setWrapped(null);
    if (target !== null) setSearch(placeOf(q, target.seq));
  }
  const head = useQuery({
    ...findQuery(source, { q, around: search?.around ?? 1, filter }, totalLogs),
    enabled: isOpen && q !== "",
  });
  const found = q === "" ? null : (head.data ?? null);
  const here = cursor?.q === q && cursor.filter === filter ? cursor : null;
  const rank = here === null ? null : rankOf(here, ...(found === null ? [] : [found]));

  const goTo = useCallback(
    (next: SearchCursor) => {
      const { seq } = next.hit;
      const aim = { seq, needle: needleOf(next.q), at: null };
      setCursor(next);
      setTarget(aim);
      targets.set(aim);
      const { first, last } = reader.visible;
      // Where it is in view it may still be folded away.
      reader.goToSeq(seq, { align: seq >= first && seq <= last ? "nearest" : "center" });
    },
    [reader, targets],
  );

  const begin = useCallback(
    (typed: string) => {
      clearTimeout(typing.current);
      typing.current = undefined;
      stepping.current?.abort();
      setStepping(false);
      setWrapped(null);
      setFailed(null);
      // From the hit before while it is in view, so that more letters do not lead away from it; else from what is read.
      const { first, last } = reader.visible;
      const before = targets.target?.seq ?? 0;
      const around = before >= first && before <= last ? before : first;
      setSearch((known) => (known?.q === typed ? known : placeOf(typed, Math.max(1, around))));
    },
    [reader, targets],
  );

  // The first hit of a new search is gone to as soon as there is one.
  const first = found?.hits[0];
  useEffect(() => {
    if (here !== null || first === undefined || found === null || !isOpen) return;
    goTo({ q, filter, hit: first, page: found });
  }, [here, first, found, isOpen, q, filter, goTo]);

  const step = useCallback(
    async (direction: Direction) => {
      if (typing.current !== undefined && text !== q) return begin(text);
      if (here === null || found === null || stepping.current?.signal.aborted === false) return;
      const { seq } = here.hit;
      const beside = besideInPage(here, direction);
      const isAtLast = rank !== null && found.complete && rank + 1 >= found.matching_logs;
      const start = found.skip === 0 ? found.hits[0] : undefined;
      if (direction === "next" && isAtLast && start !== undefined) {
        setWrapped("next");
        return goTo({ q, filter, hit: start, page: found });
      }
      if (beside !== null) {
        setWrapped(null);
        return goTo({ ...here, hit: beside });
      }
      const work = new AbortController();
      stepping.current = work;
      setStepping(true);
      setFailed(null);
      try {
        let count = { complete: found.complete, matching: found.matching_logs };
        let wanted = pageBeside(seq, rank, count, direction, hitsPageSize);
        if (wanted === null) {
          const around = await findHits(source, { q, filter }, { around: seq }, 1, work.signal);
          count = { complete: around.complete, matching: around.matching_logs };
          wanted = pageBeside(seq, around.skip, count, direction, hitsPageSize);
        }
        const page = wanted && (await findHits(source, { q, filter }, wanted.from, wanted.limit, work.signal));
        const hit = wanted?.last ? page?.hits.at(-1) : page?.hits[0];
        if (!page || hit === undefined || work.signal.aborted) return;
        setWrapped(hasWrapped(seq, hit.seq, direction) ? direction : null);
        goTo({ q, filter, hit, page });
      } catch (error) {
        if (!work.signal.aborted) setFailed(error instanceof Error ? error : new Error(String(error)));
      } finally {
        if (stepping.current === work) {
          stepping.current = null;
          setStepping(false);
        }
      }
    },
    [begin, filter, found, goTo, here, q, rank, source, text],
  );

  const setText = useCallback(
    (next: string) => {
      setTyped(next);
      clearTimeout(typing.current);
      // What comes in one piece was pasted: nothing follows that would be worth waiting for.
      if (next.length > text.length + 1) return begin(next);
      typing.current = setTimeout(() => {
        typing.current = undefined;
        begin(next);
      }, TYPING_PAUSE_MS);
    },
    [begin, text],
  );
  useEffect(
    () => () => {
      clearTimeout(typing.current);
      stepping.current?.abort();
    },
    [],
  );

  const open = useCallback(
    (chosen?: string) => {
      setOpen(true);
      if (chosen === undefined) return;
      setTyped(chosen);
      begin(chosen);
    },
    [begin],
  );
  const close = useCallback(() => {
    stepping.current?.abort();
    setOpen(false);
  }, []);

  return {
    isOpen,
    open,
    close,
    text,
    setText,
    q: isOpen ? q : "",
    needle: isOpen ? needleOf(q) : "",
    found,
    target: isOpen ? target : null,
    cursor: here,
    rank,
    wrapped,
    isStepping,
    step: useCallback((direction: Direction) => void step(direction), [step]),
    error: failed ?? (q === "" ? null : head.error),
  };
}

type SearchCursor = Cursor & Pick<Search, "q" | "filter">;

function placeOf(text: string, around: number): Omit<Search, "filter"> | null {
  const q = text.slice(0, findCharactersMax).replaceAll("\u0000", "").toWellFormed();
  return q === "" ? null : { q, around };
}
