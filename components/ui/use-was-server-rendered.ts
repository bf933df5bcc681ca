import { useState, useSyncExternalStore } from "react";

/** Whether the server rendered this component; false if the browser created it. It never changes. */
export function useWasServerRendered(): boolean {
  const isHydrating = useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );
  return useState(isHydrating)[0];
}
