"use client";

import { useIsInBrowser } from "#components/ui/use-is-in-browser.ts";

/** The palette's shortcut on this person's keyboard: `⌘K` on Apple's, `Ctrl K` elsewhere and on the server. */
export function usePaletteKey(): string {
  return useIsInBrowser() && /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
}
