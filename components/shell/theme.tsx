"use client";

import { useEffect, useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { themeStorageKey } from "./theme-script.ts";

export type Theme = "light" | "dark" | "system";

/** Choices of a theme, in display order. */
export const themes: readonly { value: Theme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
];

const chosen = new StoredChoice<Theme>({
  key: themeStorageKey,
  parse: (stored) => (stored === "light" || stored === "dark" ? stored : "system"),
  apply: applyTheme,
});

/** The chosen theme, its current effect, and a setter. On the server it is `system` and light. */
export function useTheme(): { theme: Theme; resolved: "light" | "dark"; setTheme: (theme: Theme) => void } {
  const theme = useSyncExternalStore<Theme>(chosen.subscribe, chosen.read, () => "system");
  const resolved = useSyncExternalStore<"light" | "dark">(subscribe, resolveTheme, () => "light");
  return { theme, resolved, setTheme: chosen.choose };
}

/**
 * Applies the theme where the head's script could not: for a missing page, Next sends an empty document, and React creates
 * everything in the browser, where scripts it creates do not run. Also listens as long as the page is open, so that a page
 * without any visible theme control follows the system too.
 */
export function ThemeApplied(): null {
  useEffect(() => {
    applyTheme();
    return subscribe(() => {});
  }, []);
  return null;
}

function applyTheme(): void {
  document.documentElement.classList.toggle("dark", resolveTheme() === "dark");
}

function resolveTheme(): "light" | "dark" {
  const theme = chosen.read();
  if (theme !== "system") return theme;
  return systemPrefersDark().matches ? "dark" : "light";
}

/** Calls the listener, once the theme is applied, when another is chosen or the system changes. */
function subscribe(listener: () => void): () => void {
  const unsubscribe = chosen.subscribe(listener);
  const system = systemPrefersDark();
  const onSystem = () => {
    applyTheme();
    listener();
  };
  system.addEventListener("change", onSystem);
  return () => {
    unsubscribe();
    system.removeEventListener("change", onSystem);
  };
}

function systemPrefersDark(): MediaQueryList {
  return window.matchMedia("(prefers-color-scheme: dark)");
}
