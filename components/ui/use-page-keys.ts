import { useEffect, useRef } from "react";
import { repeatEarlyKeys } from "./early-events.ts";

/**
 * Listens to the keys of a page, wherever the focus is; what is pressed before it listens for the first time is heard too.
 *
 * @param isShown while it is false, nothing is listened to
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
    repeatEarlyKeys();
    return () => document.removeEventListener("keydown", listener);
  }, [isShown]);
}
