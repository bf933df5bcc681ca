"use client";

import { memo, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

type LazyPlaceProps = {
  id: string;
  className?: string;
  /** Estimated height of the content, in px. */
  heightPx: number;
  /** Whether to render the content until it is known to be far from the view. */
  startsNear: boolean;
  scroller: RefObject<HTMLElement | null>;
  render: (id: string) => ReactNode;
};

/** Distance from the view within which content is rendered. */
const marginPx = 1_200;

/**
 * Renders its content only near the view, and keeps the content's height otherwise. Content in which somebody has pressed
 * something stays rendered, because they may have opened a part of it.
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
      // In a hidden view everything has height 0 and nothing is near: leave it as it was.
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

/** One observer for all places of a list: one each would cost time in every frame. */
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
