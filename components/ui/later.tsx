"use client";

import {
  Activity,
  type ComponentType,
  type ReactNode,
  type RefCallback,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { whenAtRest } from "./at-rest.ts";
import { laterAttribute, onEarlyEvent, repeatEarlyEvents } from "./early-events.ts";
import type { Loadable } from "./use-loaded.ts";

type LaterProps<Props extends object> = {
  part: Loadable<ComponentType<Props>>;
  /** What the part is given. */
  props: Props;
  /** The reader wants it now; otherwise it is fetched when the page is at rest. */
  isWanted?: boolean;
  /** Shown while the part is on its way to a page that did not come with it. */
  fallback?: ReactNode;
  /** The element around the part. */
  boxRef?: RefCallback<HTMLElement>;
  boxClassName?: string;
};

/**
 * A part of the page that is drawn by the server at once, and whose program comes when the page is at rest or when somebody
 * turns to the part: what is pressed before is done then.
 */
export function Later<Props extends object>(given: LaterProps<Props>) {
  const { part, props, isWanted = false, fallback = null, boxRef, boxClassName = "contents" } = given;
  const wasDrawn = useWasDrawn();
  const [isTakenOver, setTakenOver] = useState(false);
  const [drawnProps] = useState(props);
  const box = useRef<HTMLDivElement>(null);
  const Part = useSyncExternalStore(part.subscribe, part.get, part.get);
  useFetched(part, box, isWanted || !wasDrawn);

  const onTakenOver = useCallback(() => setTakenOver(true), []);
  // What was drawn can be taken over as it was drawn only: what has changed since comes after that.
  const taken = wasDrawn && !isTakenOver ? drawnProps : props;
  const drawn = useMemo(
    () =>
      wasDrawn && (
        <Activity>
          <Drawn {...{ part, props: taken, onTakenOver }} />
        </Activity>
      ),
    [wasDrawn, part, taken, onTakenOver],
  );
  useEffect(() => {
    const element = box.current;
    // Not within an effect: who handles an event may want its changes on the page at once.
    if (isTakenOver && element !== null) queueMicrotask(() => repeatEarlyEvents(element));
  }, [isTakenOver]);
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element;
      return element === null ? undefined : boxRef?.(element);
    },
    [boxRef],
  );
  if (!wasDrawn && Part === null) return fallback;
  return (
    <div ref={ref} className={boxClassName} {...(wasDrawn && !isTakenOver ? { [laterAttribute]: "" } : {})}>
      {drawn || (Part !== null && <Part {...props} />)}
    </div>
  );
}

type DrawnProps<Props extends object> = {
  part: Loadable<ComponentType<Props>>;
  props: Props;
  onTakenOver: () => void;
};

/** React keeps what the server has drawn until this has all it needs. */
function Drawn<Props extends object>({ part, props, onTakenOver }: DrawnProps<Props>) {
  if (typeof window === "undefined") void part.load();
  const Part = part.get() ?? use(part.whenThere);
  useEffect(onTakenOver, [onTakenOver]);
  return <Part {...props} />;
}

/** Fetches a part in time. */
function useFetched(part: Loadable<unknown>, box: { current: Element | null }, isWanted: boolean): void {
  useEffect(() => {
    if (part.get() !== null) return;
    const load = () => void part.load();
    const stops: (() => void)[] = [];
    if (isWanted) load();
    else stops.push(whenAtRest(load));
    if (box.current !== null) stops.push(onEarlyEvent(box.current, load));
    return () => {
      for (const stop of stops) stop();
    };
  }, [part, box, isWanted]);
}

/** Whether the server has drawn this component; false where it was made in the browser. It stays the same. */
export function useWasDrawn(): boolean {
  const isBeingDrawn = useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );
  const [wasDrawn] = useState(isBeingDrawn);
  return wasDrawn;
}

function subscribeToNothing(): () => void {
  return () => {};
}
