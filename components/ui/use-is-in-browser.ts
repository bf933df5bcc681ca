import { useSyncExternalStore } from "react";

/** False on the server and during hydration, true afterwards: for what only the browser knows, such as its time zone. */
export function useIsInBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
