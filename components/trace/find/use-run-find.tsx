"use client";

import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { HitMarks } from "#components/trace/minimap/hit-marks.tsx";
import { whenAtRest } from "#components/ui/at-rest.ts";
import { Later } from "#components/ui/later.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import type { AskedFind, RunFindHandle, RunFindProps } from "./run-find.tsx";
import { FindingProvider, FindTargets } from "./sought.tsx";
import { useFindKeys } from "./use-find-keys.ts";

const runFind = loadable(() => import("#components/trace/trace-parts.ts").then(({ RunFind }) => RunFind));

type RunFindOptions = Omit<RunFindProps, "targets" | "asked" | "onMarks" | "handle">;

/** The search within a run: its bar, what stands around the cards that it opens, and its marks on the map. */
export function useRunFind(options: RunFindOptions) {
  const { reader, search, isShown } = options;
  const [targets] = useState(() => new FindTargets());
  const [asked, setAsked] = useState<AskedFind | null>(null);
  const [isWanted, setWanted] = useState(search.find !== null);
  const [marks, setMarks] = useState<HitMarks | null>(null);
  const handle = useRef<RunFindHandle>(null);
  if (search.find !== null && !isWanted) setWanted(true);

  const canBeFetched = useFetchedAtRest();
  const open = useCallback(
    (chosen?: string) => {
      if (handle.current !== null) handle.current.open(chosen);
      else if (!canBeFetched()) return false;
      else {
        setAsked((before) => before ?? { text: chosen ?? null, focused: document.activeElement, typed: "" });
        setWanted(true);
        void runFind.load().then((isThere) => !isThere && setAsked(null));
      }
      return true;
    },
    [canBeFetched],
  );
  useFindKeys(handle, isShown, open);
  useTypedEarly(asked, handle);

  const finding = useMemo(
    () => ({
      targets,
      showPlace: (seq: number, within: number) => reader.goToSeq(seq, { align: "center", within }),
    }),
    [targets, reader],
  );
  const props: RunFindProps = { ...options, targets, asked, handle, onMarks: setMarks };
  return {
    marks,
    bar: isWanted && <Later part={runFind} props={props} isWanted />,
    around: (cards: ReactNode) => <FindingProvider value={finding}>{cards}</FindingProvider>,
  };
}

/** Keeps what is typed into the search before it is there. */
function useTypedEarly(asked: AskedFind | null, handle: RefObject<RunFindHandle | null>): void {
  useEffect(() => {
    if (asked === null || handle.current !== null) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (handle.current !== null) return window.removeEventListener("keydown", onKeyDown, { capture: true });
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Backspace") asked.typed = asked.typed.slice(0, -1);
      else if (event.key.length === 1) asked.typed += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [asked, handle]);
}

/** Fetches the search when the page is at rest. Where that has failed, the keys are left to the browser's own search. */
function useFetchedAtRest(): () => boolean {
  useEffect(() => whenAtRest(() => void runFind.load()), []);
  return useCallback(() => {
    if (!runFind.hasFailed()) return true;
    void runFind.load();
    return false;
  }, []);
}
