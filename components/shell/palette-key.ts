"use client";

import { useSyncExternalStore } from "react";

/** How the key that opens the palette is written on this person's keyboard: `⌘K` on Apple's, `Ctrl K` elsewhere and on the server. */
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
