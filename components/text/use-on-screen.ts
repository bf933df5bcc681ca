import type { RefCallback } from "react";
import { useCallback, useState } from "react";

/**
 * Whether an element is in view or within `marginPx` of it. Attach the returned ref to the element. False on the server and
 * until the browser has measured.
 */
export function useOnScreen(marginPx: number): [ref: RefCallback<Element>, isOnScreen: boolean] {
  const [isOnScreen, setIsOnScreen] = useState(false);
  const ref = useCallback(
    (element: Element | null) => {
      if (element === null) return;
      const observer = new IntersectionObserver(
        ([entry]) => setIsOnScreen(entry?.isIntersecting ?? false),
        // Scrolled containers clip a root margin; only scrollMargin reaches through them.
        { rootMargin: `${marginPx}px`, scrollMargin: `${marginPx}px` } as IntersectionObserverInit,
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [marginPx],
  );
  return [ref, isOnScreen];
}
