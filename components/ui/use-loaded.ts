"use client";

import { useEffect, useSyncExternalStore } from "react";

/** A part of the program that is fetched when it is first wanted, once for the whole page. */
export type Loadable<Part> = {
  /** The part where it is there, else null. */
  get: () => Part | null;
  /** Whether the last fetch of it failed. */
  hasFailed: () => boolean;
  /** Fetches the part where it is not there. Tells whether it is there then; it never throws. */
  load: () => Promise<boolean>;
  /** Resolves when the part is there; it never fails. The same promise each time. */
  whenThere: Promise<Part>;
  subscribe: (listener: () => void) => () => void;
};

const failed = new Set<Loadable<unknown>>();
const failedListeners = new Set<() => void>();

/** The parts that were wanted and could not be fetched. */
export const notFetched = {
  isAny: () => failed.size > 0,
  /** Tries each of them again. */
  retry() {
    for (const part of failed) void part.load();
  },
  subscribe(listener: () => void): () => void {
    failedListeners.add(listener);
    return () => failedListeners.delete(listener);
  },
};

/** `load` imports the part. A fetch that failed is tried again when the part is wanted again. */
export function loadable<Part>(load: () => Promise<Part>): Loadable<Part> {
  const listeners = new Set<() => void>();
  const { promise: whenThere, resolve } = Promise.withResolvers<Part>();
  let part: Part | null = null;
  let loading: Promise<boolean> | null = null;
  const fetchPart = async () => {
    try {
      part = await load();
      resolve(part);
    } catch {
      // It is told of by hasFailed.
    }
    loading = null;
    if (part === null) failed.add(self);
    else failed.delete(self);
    for (const listener of [...listeners, ...failedListeners]) listener();
    return part !== null;
  };
  const self: Loadable<Part> = {
    get: () => part,
    hasFailed: () => failed.has(self),
    load() {
      if (part !== null) return Promise.resolve(true);
      loading ??= fetchPart();
      return loading;
    },
    whenThere,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return self;
}

/** The part once it is there; null before, and until it is wanted for the first time. */
export function useLoaded<Part>(part: Loadable<Part>, isWanted: boolean): Part | null {
  useEffect(() => {
    if (isWanted) void part.load();
  }, [part, isWanted]);
  return useSyncExternalStore(part.subscribe, part.get, () => null);
}
