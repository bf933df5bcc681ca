import { useEffect, useRef } from "react";
import { repeatEarlyEvents } from "#components/islands/early-events.ts";

/**
 * Listens to the page's keys, wherever the focus is, including keys pressed before it was first mounted.
 *
 * @param isShown while false, keys are ignored
 */
export function usePageKeys(onKeyDown: (event: KeyboardEvent) => void, isShown = true): void {
  const now = useRef(onKeyDown);
  useEffect(() => {
    now.current = onKeyDown;
  });
  useEffect(() => {
    if (!isShown) return;
    const listener = (event: KeyboardEvent) => now.current(event);
    document.addEventListener("keydown", listener);
    repeatEarlyEvents(document.documentElement);
    return () => document.removeEventListener("keydown", listener);
  }, [isShown]);
}
