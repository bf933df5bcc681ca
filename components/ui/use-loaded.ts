"use client";

import { useEffect, useSyncExternalStore } from "react";

/** A part of the program that is fetched when it is first wanted, once for the whole page. */
export type Loadable<Part> = {
  /** The part where it is there, else null. */
  get: () => Part | null;
  load: () => void;
  subscribe: (listener: () => void) => () => void;
};

/** `load` imports the part. A fetch that failed is tried again when the part is wanted again. */
export function loadable<Part>(load: () => Promise<Part>): Loadable<Part> {
  const listeners = new Set<() => void>();
  let part: Part | null = null;
  let isLoading = false;
  return {
    get: () => part,
    load() {
      if (isLoading || part !== null) return;
      isLoading = true;
      load()
        .then((loaded) => {
          part = loaded;
          for (const listener of listeners) listener();
        })
        .catch(() => {})
        .finally(() => {
          isLoading = false;
        });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The part once it is there; null before, and until it is wanted for the first time. */
export function useLoaded<Part>(part: Loadable<Part>, isWanted: boolean): Part | null {
  useEffect(() => {
    if (isWanted) part.load();
  }, [part, isWanted]);
  return useSyncExternalStore(part.subscribe, part.get, () => null);
}
