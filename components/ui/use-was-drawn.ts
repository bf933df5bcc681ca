import { useState, useSyncExternalStore } from "react";

/** Whether the server has drawn this component; false where it was made in the browser. It stays the same. */
export function useWasDrawn(): boolean {
  const isHydrating = useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );
  return useState(isHydrating)[0];
}
