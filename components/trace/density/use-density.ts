"use client";

import { useSyncExternalStore } from "react";
import { densityStorageKey } from "./density-script.ts";

/** How much room the steps of a run take. */
export type Density = "comfortable" | "compact";

const listeners = new Set<() => void>();

/** The density that is shown, and how to choose another. What is laid out by it reads the attribute of `<html>` by style alone. */
export function useDensity(): { density: Density; setDensity: (density: Density) => void } {
  const density = useSyncExternalStore<Density>(subscribe, readDensity, () => "comfortable");
  return { density, setDensity };
}

/** Chooses and applies a density, in every open page of this browser, and remembers it where storage is allowed. */
function setDensity(density: Density): void {
  apply(density);
  try {
    localStorage.setItem(densityStorageKey, density);
  } catch {
    // Where storage is refused the choice lasts as long as the page.
  }
}

function apply(density: Density): void {
  if (density === "compact") document.documentElement.dataset.density = density;
  else delete document.documentElement.dataset.density;
  for (const listener of listeners) listener();
}

function readDensity(): Density {
  return document.documentElement.dataset.density === "compact" ? "compact" : "comfortable";
}

function onStorage({ key, newValue }: StorageEvent): void {
  if (key === densityStorageKey) apply(newValue === "compact" ? "compact" : "comfortable");
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", onStorage);
  };
}
