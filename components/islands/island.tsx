"use client";

import * as React from "react";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Loadable } from "#components/ui/use-loaded.ts";
import { useWasDrawn } from "#components/ui/use-was-drawn.ts";
import { whenIdle } from "#components/ui/when-idle.ts";
import { onTouch, repeatEarlyEvents } from "./early-events.ts";

type IslandProps<Props extends object> = {
  part: Loadable<React.ComponentType<Props>>;
  /** What the part is given. */
  props: Props;
  /** The reader wants it now; otherwise it is loaded when the page is idle. */
  isWanted?: boolean;
  /** Shown while the part is on its way to a page that did not come with it. */
  fallback?: React.ReactNode;
  /** The element around the part. */
  boxRef?: React.RefCallback<HTMLElement>;
  boxClassName?: string;
};

/** An island that React has not hydrated this long after its script came is hydrated before anything else. */
const hydratedWithinMs = 1_000;

/**
 * A part of the page that the server draws at once, and whose script comes when the page is idle or when somebody turns to the
 * part: what was done to it before is done then.
 */
export function Island<Props extends object>(given: IslandProps<Props>) {
  const { part, props, isWanted = false, fallback = null, boxRef, boxClassName = "contents" } = given;
  const wasDrawn = useWasDrawn();
  const [isHydrated, setHydrated] = useState(false);
  const [drawnProps] = useState(props);
  const box = useRef<HTMLDivElement>(null);
  const Part = useSyncExternalStore(part.subscribe, part.get, part.get);
  useEffect(() => {
    if (part.get() !== null) return;
    const load = () => void part.load();
    if (isWanted || !wasDrawn) return load();
    const stopWaiting = whenIdle(load);
    const stopListening = box.current === null ? null : onTouch(box.current, load);
    return () => {
      stopWaiting();
      stopListening?.();
    };
  }, [part, isWanted, wasDrawn]);

  // React hydrates boundaries last, and the steps of a live run can keep a slow page from ever getting there.
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    if (!wasDrawn || isHydrated || Part === null) return;
    const timer = setTimeout(() => setOverdue(true), hydratedWithinMs);
    return () => clearTimeout(timer);
  }, [wasDrawn, isHydrated, Part]);

  const onHydrated = useCallback(() => setHydrated(true), []);
  // What was drawn can be hydrated as it was drawn only: what has changed since comes after that.
  const taken = wasDrawn && !isHydrated ? drawnProps : props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with a new element React hydrates the boundary at once.
  const drawn = useMemo(
    () =>
      wasDrawn && (
        <React.Activity>
          <Drawn {...{ part, props: taken, onHydrated }} />
        </React.Activity>
      ),
    [wasDrawn, part, taken, onHydrated, isOverdue],
  );
  useEffect(() => {
    const element = box.current;
    // Not within an effect: who handles an event may want its changes on the page at once.
    if (isHydrated && element !== null) queueMicrotask(() => repeatEarlyEvents(element));
  }, [isHydrated]);
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element;
      return element === null ? undefined : boxRef?.(element);
    },
    [boxRef],
  );
  if (!wasDrawn && Part === null) return fallback;
  return (
    <div ref={ref} className={boxClassName} data-island={wasDrawn && !isHydrated ? "" : undefined}>
      {drawn || (Part !== null && <Part {...props} />)}
    </div>
  );
}

type DrawnProps<Props extends object> = Pick<IslandProps<Props>, "part" | "props"> & { onHydrated: () => void };

/** React keeps what the server has drawn until this has all it needs. */
function Drawn<Props extends object>({ part, props, onHydrated }: DrawnProps<Props>) {
  if (typeof window === "undefined") void part.load();
  const Part = part.get() ?? React.use(part.whenThere);
  useEffect(onHydrated, [onHydrated]);
  return <Part {...props} />;
}

/** Once, in the root layout: what was done before any script had run is done as soon as React has the page. */
export function EarlyEventsRepeated() {
  useEffect(() => {
    window.errandEarlyEvents.hasReact = true;
    queueMicrotask(() => repeatEarlyEvents(document.body));
  }, []);
  return null;
}
