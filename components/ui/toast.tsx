"use client";

import { useSyncExternalStore } from "react";
import { listToasts, subscribeToToasts, type Toast } from "./toast-store.ts";
import { loadable, useLoaded } from "./use-loaded.ts";

const NOTHING: readonly Toast[] = [];
const cards = loadable(() => import("./toast-cards.tsx"));

/** Where messages of `toast()` appear; once, near the root. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, listToasts, () => NOTHING);
  const loaded = useLoaded(cards, toasts.length > 0);
  return loaded && <loaded.Toasts toasts={toasts} />;
}
