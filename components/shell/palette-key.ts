"use client";

import { useSyncExternalStore } from "react";

/** The palette's shortcut on this person's keyboard: `⌘K` on Apple's, `Ctrl K` elsewhere and on the server. */
export function usePaletteKey(): string {
  return useSyncExternalStore(
    subscribeToNothing,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    () => "Ctrl K",
  );
}

function subscribeToNothing(): () => void {
  return () => {};
}
