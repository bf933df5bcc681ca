"use client";

import { useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { densityStorageKey } from "./density-script.ts";

/** How much room the steps of a run take. */
export type Density = "comfortable" | "compact";

const chosen = new StoredChoice<Density>({
  key: densityStorageKey,
  parse: (stored) => (stored === "compact" ? stored : "comfortable"),
  apply: (density) => {
    if (density === "compact") document.documentElement.dataset.density = density;
    else delete document.documentElement.dataset.density;
  },
});

/** The density that is shown, and how to choose another. What is laid out by it reads the attribute of `<html>` by style alone. */
export function useDensity(): { density: Density; setDensity: (density: Density) => void } {
  const density = useSyncExternalStore<Density>(chosen.subscribe, chosen.read, () => "comfortable");
  return { density, setDensity: chosen.choose };
}
