"use client";

import { useEffect, useSyncExternalStore } from "react";
import { listToasts, subscribeToToasts, type Toast } from "./toast-store.ts";
import { loadable, useLoaded } from "./use-loaded.ts";
import { whenIdle } from "./when-idle.ts";

const nothing: readonly Toast[] = [];
const cardsPart = loadable(() => import("./toast-cards.tsx"));

/** Shows the messages of `toast()`. Used once, near the root. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, listToasts, () => nothing);
  // At hand before there is one: it may say that the server is gone.
  useEffect(() => whenIdle(() => void cardsPart.load()), []);
  const cards = useLoaded(cardsPart, toasts.length > 0);
  return toasts.length > 0 && cards !== null ? <cards.ToastCards toasts={toasts} /> : null;
}
