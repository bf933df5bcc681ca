"use client";

import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { flushSync } from "react-dom";
import { filterQueryOf } from "#components/trace/filter/filter-query.ts";
import { parseEntry } from "#components/trace/log-windows.ts";
import type { HitMarks } from "#components/trace/minimap/hit-marks.tsx";
import type { TraceReader } from "#components/trace/reader/trace-reader.ts";
import { fetchCodeTool } from "#components/trace/tools/later-code-tool.tsx";
import type { usePageSearch } from "#components/trace/use-page-search.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import { FindBar } from "./find-bar.tsx";
import type { FindTargets } from "./sought.tsx";
import { type Find, useFind } from "./use-find.ts";
import { useFindMarks } from "./use-find-marks.ts";

/** What the keys of the page may ask of the search. */
export type RunFindHandle = Pick<Find, "isOpen" | "step"> & { open: (chosen?: string) => void };

/** The text that was chosen when a key called for the search, what had the focus, and what has been typed since. */
export type AskedFind = { text: string | null; focused: Element | null; typed: string };

export type RunFindProps = {
  source: TraceSource;
  totalLogs: number;
  reader: TraceReader;
  /** The element that the feed is scrolled in, as high as what is seen of it. */
  area: RefObject<HTMLElement | null>;
  search: ReturnType<typeof usePageSearch>;
  isShown: boolean;
  targets: FindTargets;
  /** The key that has called for it, null where the address did. */
  asked: AskedFind | null;
  onMarks: (marks: HitMarks | null) => void;
  handle: Ref<RunFindHandle>;
};

/** Looks for text in a run: the bar over the steps, what it highlights in them, and the address that says so. */
export function RunFind(props: RunFindProps) {
  const { source, totalLogs, reader, area, search, isShown, targets, asked, onMarks, handle } = props;
  const [initial] = useState(() => ({
    isOpen: asked !== null || search.find !== null,
    text: asked?.text ?? search.find,
    entry: asked === null ? parseEntry(search.entry) : reader.visible.first,
  }));
  // The server looks for one text at a time: beside a filter's own text all hits are gone through, those it hides too.
  const filter = useMemo(() => {
    const query = filterQueryOf(search.filter);
    return query.q !== undefined || Object.keys(query).length === 0 ? null : query;
  }, [search.filter]);
  const find = useFind({ source, totalLogs, reader, targets, filter, initial });
  const { setText } = find;
  const input = useRef<HTMLInputElement>(null);
  const focused = useRef(asked?.focused ?? null);
  const answered = useRef<AskedFind | null>(null);
  useEffect(() => {
    // Once: who types is not to have it chosen again.
    if (asked === null || answered.current === asked) return;
    answered.current = asked;
    input.current?.focus();
    input.current?.select();
    if (asked.typed !== "") setText(asked.typed);
  }, [asked, setText]);
  const open = (chosen?: string) => {
    if (!find.isOpen) focused.current = document.activeElement;
    flushSync(() => find.open(chosen));
    input.current?.focus();
    input.current?.select();
  };
  const close = () => {
    find.close();
    const { current } = focused;
    const card = document.querySelector<HTMLElement>(`article[data-seq="${find.cursor?.hit.seq}"][tabindex]`);
    if (current instanceof HTMLElement && current !== document.body && current.isConnected) {
      current.focus({ preventScroll: true });
    } else if (card !== null) card.focus({ preventScroll: true });
    else reader.focus();
  };
  useImperativeHandle(handle, () => ({ isOpen: find.isOpen, step: find.step, open }));
  useAddress(find, reader);
  // What is looked for often stands in code: it is not to be waited for once it is found.
  useEffect(() => void fetchCodeTool(), []);
  const unseen = useFindMarks({ area, reader, needle: isShown ? find.needle : "", target: find.target });

  const { found } = find;
  const marks = useMemo((): HitMarks | null => {
    if (!find.isOpen || found === null || found.matching_logs === 0 || found.buckets.length === 0) {
      return null;
    }
    return { counts: found.buckets, totalLogs: found.total_logs };
  }, [find.isOpen, found]);
  useEffect(() => onMarks(marks), [marks, onMarks]);
  return find.isOpen && <FindBar {...{ find, input }} isUnseen={unseen !== null} onClose={close} />;
}

/** Keeps what is looked for and the hit that is shown in the page's address, and follows the address where it is gone back. */
function useAddress({ isOpen, q, cursor, open, close }: Find, reader: TraceReader): void {
  const text = isOpen && q !== "" ? q : null;
  const seq = isOpen ? (cursor?.hit.seq ?? null) : null;
  useEffect(() => reader.setFind(text, seq), [reader, text, seq]);

  const asked = useSyncExternalStore(
    reader.subscribe,
    () => reader.snapshot.asked,
    () => null,
  );
  const followed = useRef(asked);
  useEffect(() => {
    if (asked === followed.current) return;
    followed.current = asked;
    if (asked === null || asked.find === null) close();
    else open(asked.find);
  }, [asked, open, close]);
}
