import type { RefCallback } from "react";
import { useCallback, useState } from "react";

/**
 * Whether an element is at least so wide. Attach the returned ref to the element, whose width must not depend on the answer.
 * Measured before it is first painted, and only while `isWanted`; false else.
 */
export function useHasRoom(widthPx: number, isWanted: boolean): [ref: RefCallback<Element>, hasRoom: boolean] {
  const [hasRoom, setHasRoom] = useState(false);
  const ref = useCallback(
    (element: Element | null) => {
      if (element === null || !isWanted) return;
      const measure = () => setHasRoom(element.clientWidth >= widthPx);
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(element);
      return () => observer.disconnect();
    },
    [widthPx, isWanted],
  );
  return [ref, isWanted && hasRoom];
}
