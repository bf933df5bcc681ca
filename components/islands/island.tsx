"use client";

import * as React from "react";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Loadable } from "#components/ui/use-loaded.ts";
import { useWasServerRendered } from "#components/ui/use-was-server-rendered.ts";
import { whenIdle } from "#components/ui/when-idle.ts";
import { repeatEarlyEvents } from "./early-events.ts";

type IslandProps<Props extends object> = {
  part: Loadable<React.ComponentType<Props>>;
  /** Props of the part. */
  props: Props;
  /** Loads the script at once; otherwise it is loaded when the page is idle. */
  isWanted?: boolean;
  /** Shown while the script is loading, if the server has not rendered the part. */
  fallback?: React.ReactNode;
  /** Called with the element around the part. */
  boxRef?: React.RefCallback<HTMLElement>;
  boxClassName?: string;
};

/** An island that React has not hydrated this long after its script has loaded is hydrated before everything else. */
const hydratedWithinMs = 1_000;

/**
 * A part of the page that the server renders at once. Its script loads when the page is idle or when somebody first interacts
 * with the part; events until then are kept and dispatched once it is hydrated.
 */
export function Island<Props extends object>(given: IslandProps<Props>) {
  const { part, props, isWanted = false, fallback = null, boxRef, boxClassName = "contents" } = given;
  const wasDrawn = useWasServerRendered();
  const [stage, setStage] = useState<"drawn" | "overdue" | "hydrated">("drawn");
  const isHydrated = stage === "hydrated";
  const [drawnProps] = useState(props);
  const box = useRef<HTMLDivElement>(null);
  const Part = useSyncExternalStore(part.subscribe, part.get, part.get);
  useEffect(() => {
    const load = () => void part.load();
    const element = wasDrawn ? box.current : null;
    if (isWanted || element === null || window.errandEarlyEvents.kept.has(element)) return load();
    element.addEventListener("turned-to", load);
    return whenIdle(load);
  }, [part, isWanted, wasDrawn]);

  // React hydrates boundaries last, and the steps of a live run can keep a slow page from ever getting there.
  useEffect(() => {
    if (!wasDrawn || isHydrated || Part === null) return;
    const timer = setTimeout(() => setStage((now) => (now === "drawn" ? "overdue" : now)), hydratedWithinMs);
    return () => clearTimeout(timer);
  }, [wasDrawn, isHydrated, Part]);

  const onHydrated = useCallback(() => setStage("hydrated"), []);
  // Server-rendered HTML can only be hydrated with the props it was rendered with. Newer props follow afterwards.
  const taken = wasDrawn && !isHydrated ? drawnProps : props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with a new element React hydrates the boundary at once.
  const drawn = useMemo(
    () =>
      wasDrawn && (
        <React.Activity>
          <Drawn {...{ part, props: taken, onHydrated }} />
        </React.Activity>
      ),
    [wasDrawn, part, taken, onHydrated, stage],
  );
  useEffect(() => {
    // Not within an effect, because an event handler may need its changes to be rendered at once.
    if (isHydrated) queueMicrotask(() => box.current !== null && repeatEarlyEvents(box.current));
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

/** Suspends until the script has loaded; React keeps the server's HTML until then. */
function Drawn<Props extends object>({ part, props, onHydrated }: DrawnProps<Props>) {
  if (typeof window === "undefined") void part.load();
  const Part = part.get() ?? React.use(part.whenLoaded);
  useEffect(onHydrated, [onHydrated]);
  return <Part {...props} />;
}

/** Dispatches events kept before any script had run, as soon as React has hydrated the page. Used once, in the root layout. */
export function EarlyEventsRepeated() {
  useEffect(() => {
    window.errandEarlyEvents.hasReact = true;
    queueMicrotask(() => repeatEarlyEvents(document.body));
  }, []);
  return null;
}
