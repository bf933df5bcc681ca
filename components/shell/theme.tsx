"use client";

import { useEffect, useSyncExternalStore } from "react";
import { themeStorageKey } from "./theme-script.ts";

export type Theme = "light" | "dark" | "system";

/** What a person may choose, in the order it is offered. */
export const themes: readonly { value: Theme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
];

const listeners = new Set<() => void>();
// Where storage is refused (private windows, strict settings) the choice lasts as long as the page.
let unstored: Theme | undefined;
let query: MediaQueryList | undefined;

/** The chosen theme, what it comes to now, and how to choose another. On the server it is `system` and light. */
export function useTheme(): { theme: Theme; resolved: "light" | "dark"; setTheme: (theme: Theme) => void } {
  const theme = useSyncExternalStore<Theme>(subscribe, readTheme, () => "system");
  const resolved = useSyncExternalStore<"light" | "dark">(subscribe, resolveTheme, () => "light");
  return { theme, resolved, setTheme };
}

/**
 * Applies the theme where the script of the page's head could not: Next sends an empty document for a page that is not there,
 * and React then makes the whole of it in the browser, where scripts that it makes do not run. It also listens for as long as the
 * page is open, so that a page without any part that shows the theme follows the system's choice too.
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
  // One object for the page: a listener is removed from the object it was added to.
  query ??= window.matchMedia("(prefers-color-scheme: dark)");
  return query;
}
