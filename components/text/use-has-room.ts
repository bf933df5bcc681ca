import type { RefCallback } from "react";
import { useCallback, useState } from "react";

/**
 * Whether an element is at least this wide. Attach the returned ref to the element, whose width must not depend on the result.
 * Measured before the first paint, and only while `isWanted`; otherwise false.
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
