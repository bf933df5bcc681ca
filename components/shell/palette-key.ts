"use client";

import { useIsInBrowser } from "#components/ui/use-is-in-browser.ts";

/** The command key on this person's keyboard: `⌘` on Apple's, `Ctrl` elsewhere and on the server. */
export function useCommandKey(): "⌘" | "Ctrl" {
  return useIsInBrowser() && /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}

/** The palette's shortcut on this person's keyboard: `⌘K` on Apple's, `Ctrl K` elsewhere and on the server. */
export function usePaletteKey(): string {
  return useCommandKey() === "⌘" ? "⌘K" : "Ctrl K";
}
