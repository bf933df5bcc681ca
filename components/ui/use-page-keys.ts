import { useEffect, useRef } from "react";
import { repeatEarlyEvents } from "#components/islands/early-events.ts";

/**
 * Listens to the keys of a page, wherever the focus is, including keys pressed before it listens for the first time.
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
