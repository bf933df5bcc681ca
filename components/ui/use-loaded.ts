"use client";

import { type ComponentType, createElement, use, useEffect, useSyncExternalStore } from "react";

/** A chunk of script loaded on first use, once for the whole page. */
export type Loadable<Part> = {
  /** The chunk if it is loaded, otherwise null. */
  get: () => Part | null;
  /** Whether the last attempt to load it failed. */
  hasFailed: () => boolean;
  /** Loads the chunk if necessary. Resolves to whether it is loaded then; never rejects. */
  load: () => Promise<boolean>;
  /** Resolves when the chunk is loaded; never rejects. The same promise each time. */
  whenLoaded: Promise<Part>;
  subscribe: (listener: () => void) => () => void;
};

const failed = new Set<Loadable<unknown>>();
const failedListeners = new Set<() => void>();

/** Chunks that were needed and failed to load. */
export const failedChunks = {
  isAny: () => failed.size > 0,
  /** Tries to load each of them again. */
  retry() {
    for (const part of failed) void part.load();
  },
  subscribe(listener: () => void): () => void {
    failedListeners.add(listener);
    return () => failedListeners.delete(listener);
  },
};

/** `load` imports the chunk. After a failure it is loaded again when next needed. */
export function loadable<Part>(load: () => Promise<Part>): Loadable<Part> {
  const listeners = new Set<() => void>();
  const { promise: whenLoaded, resolve } = Promise.withResolvers<Part>();
  let part: Part | null = null;
  let loading: Promise<boolean> | null = null;
  const fetchPart = async () => {
    try {
      part = await load();
      resolve(part);
    } catch {
      // Reported by hasFailed.
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
    whenLoaded,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return self;
}

/** The chunk once it is loaded; null before, and until it is first needed. */
export function useLoaded<Part>(part: Loadable<Part>, isWanted: boolean): Part | null {
  useEffect(() => {
    if (isWanted) void part.load();
  }, [part, isWanted]);
  return useSyncExternalStore(part.subscribe, part.get, () => null);
}

/**
 * A component whose chunk is loaded when it is first shown; until then it suspends. If the chunk fails to load, `Failed` (by default
 * nothing) is shown instead, and it is loaded again when the component is next shown.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failed?: ComponentType<Props>,
): ComponentType<Props> {
  const part = loadable(load);
  return function LazyPart(props) {
    // While hydrating, useLoaded has nothing yet.
    const loaded = useLoaded(part, true) ?? part.get();
    if (loaded === null && !part.hasFailed()) use(part.load());
    const Shown = loaded ?? Failed;
    return Shown === undefined ? null : createElement(Shown, props);
  };
}
