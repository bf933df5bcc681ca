"use client";

import { memo, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

type LazyPlaceProps = {
  id: string;
  className?: string;
  /** What its content will probably be high, in px. */
  heightPx: number;
  /** Whether it is rendered until it is known to be far from the view. */
  startsNear: boolean;
  scroller: RefObject<HTMLElement | null>;
  render: (id: string) => ReactNode;
};

/** Content is rendered this near the view. */
const marginPx = 1_200;

/**
 * A place whose content is rendered only near the view, and keeps its height when it is not. Content in which somebody pressed
 * something stays: it may hold what they opened.
 */
export const LazyPlace = memo(function LazyPlace({
  id,
  className,
  heightPx,
  startsNear,
  scroller,
  render,
}: LazyPlaceProps) {
  const box = useRef<HTMLDivElement>(null);
  const wasUsed = useRef(false);
  const [isNear, setNear] = useState(startsNear);
  const [measured, setMeasured] = useState<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || scroller.current === null) return;
    return observerOf(scroller.current).watch(element, (near) => {
      // A hidden view has no height, and nothing of it is near: it stays as it was.
      const isHidden = element.offsetHeight === 0;
      if (!near && (isHidden || wasUsed.current || element.contains(document.activeElement))) return;
      if (!near) setMeasured(element.offsetHeight);
      setNear(near);
    });
  }, [scroller]);
  return (
    <div
      ref={box}
      id={id}
      className={className}
      style={isNear ? undefined : { height: measured ?? heightPx }}
      onClickCapture={() => {
        wasUsed.current = true;
      }}
    >
      {isNear && render(id)}
    </div>
  );
});

type Watch = (element: Element, onChange: (isNear: boolean) => void) => () => void;

const observers = new WeakMap<Element, { watch: Watch }>();

/** One observer for all places of a list: hundreds of them would each cost time with every frame. */
function observerOf(scroller: Element): { watch: Watch } {
  const known = observers.get(scroller);
  if (known !== undefined) return known;
  const listeners = new Map<Element, (isNear: boolean) => void>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    { root: scroller, rootMargin: `${marginPx}px 0px` },
  );
  const watch: Watch = (element, onChange) => {
    listeners.set(element, onChange);
    observer.observe(element);
    return () => {
      listeners.delete(element);
      observer.unobserve(element);
    };
  };
  observers.set(scroller, { watch });
  return { watch };
}
