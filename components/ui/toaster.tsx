"use client";

import { useEffect, useSyncExternalStore } from "react";
import { listToasts, subscribeToToasts, type Toast } from "./toast-store.ts";
import { loadable, useLoaded } from "./use-loaded.ts";

const nothing: readonly Toast[] = [];
const cardsPart = loadable(() => import("./toast-cards.tsx"));

/** Shows the messages of `toast()`. Used once, near the root. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, listToasts, () => nothing);
  useEffect(() => {
    // A message answers something that somebody did: it is at hand then, also if it says that the server is gone.
    const ended = new AbortController();
    for (const type of ["pointerdown", "keydown"]) {
      document.addEventListener(type, () => void cardsPart.load(), { once: true, signal: ended.signal });
    }
    return () => ended.abort();
  }, []);
  const cards = useLoaded(cardsPart, toasts.length > 0);
  return toasts.length > 0 && cards !== null ? <cards.ToastCards toasts={toasts} /> : null;
}
