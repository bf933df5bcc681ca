"use client";

import { useEffect, useSyncExternalStore } from "react";
import { themeStorageKey } from "./theme-script.ts";

export type Theme = "light" | "dark" | "system";

/** Choices of a theme, in display order. */
export const themes: readonly { value: Theme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
];

const listeners = new Set<() => void>();
// Without storage (private windows, strict settings) the choice lasts as long as the page.
let unstored: Theme | undefined;
let query: MediaQueryList | undefined;

/** The chosen theme, its current effect, and a setter. On the server it is `system` and light. */
export function useTheme(): { theme: Theme; resolved: "light" | "dark"; setTheme: (theme: Theme) => void } {
  const theme = useSyncExternalStore<Theme>(subscribe, readTheme, () => "system");
  const resolved = useSyncExternalStore<"light" | "dark">(subscribe, resolveTheme, () => "light");
  return { theme, resolved, setTheme };
}

/**
 * Applies the theme where the head's script could not: for a missing page, Next sends an empty document, and React creates
 * everything in the browser, where scripts it creates do not run. Also listens as long as the page is open, so that a page
 * without any visible theme control follows the system too.
 */
export function ThemeApplied(): null {
  useEffect(() => {
    announce();
    return subscribe(() => {});
  }, []);
  return null;
}

/** Chooses, remembers and applies a theme, in every open page of this browser. */
export function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(themeStorageKey, theme);
    unstored = undefined;
  } catch {
    unstored = theme;
  }
  announce();
}

function readTheme(): Theme {
  if (unstored !== undefined) return unstored;
  try {
    const stored = localStorage.getItem(themeStorageKey);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

function resolveTheme(): "light" | "dark" {
  const theme = readTheme();
  if (theme !== "system") return theme;
  return systemPrefersDark().matches ? "dark" : "light";
}

function announce(): void {
  document.documentElement.classList.toggle("dark", resolveTheme() === "dark");
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("storage", announce);
    systemPrefersDark().addEventListener("change", announce);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener("storage", announce);
    systemPrefersDark().removeEventListener("change", announce);
  };
}

function systemPrefersDark(): MediaQueryList {
  // A single object for the page, because a listener must be removed from the object it was added to.
  query ??= window.matchMedia("(prefers-color-scheme: dark)");
  return query;
}
