import { useSyncExternalStore } from "react";
import { diffLayoutStorageKey as storageKey } from "./diff-layout-script.ts";

/** How diffs are laid out where there is room: one version below the other, or beside it. */
export type DiffLayout = "unified" | "side-by-side";

const listeners = new Set<() => void>();
let chosen: DiffLayout | null = null;

/**
 * The layout that the reader chose for all diffs, and how to choose another. What the server drew is unified, and until the
 * page is hydrated the choice is not known (`isKnown` false).
 */
export function useDiffLayout(): {
  layout: DiffLayout;
  isKnown: boolean;
  setLayout: (layout: DiffLayout) => void;
} {
  const layout = useSyncExternalStore<DiffLayout | null>(subscribe, readLayout, () => null);
  return { layout: layout ?? "unified", isKnown: layout !== null, setLayout };
}

/** Chooses a layout in every open page of this browser, and remembers it where storage is allowed. */
function setLayout(layout: DiffLayout): void {
  apply(layout);
  try {
    localStorage.setItem(storageKey, layout);
  } catch {
    // Where storage is refused the choice lasts as long as the page.
  }
}

function apply(layout: DiffLayout): void {
  chosen = layout;
  for (const listener of listeners) listener();
}

function readLayout(): DiffLayout {
  chosen ??= layoutOf(stored());
  return chosen;
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function layoutOf(value: string | null): DiffLayout {
  return value === "side-by-side" ? value : "unified";
}

// Listens for as long as the page lives: a choice made elsewhere while no diff is shown counts too.
let isListening = false;

function subscribe(listener: () => void): () => void {
  if (!isListening) {
    isListening = true;
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === storageKey) apply(layoutOf(newValue));
    });
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}
