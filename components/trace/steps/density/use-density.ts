"use client";

import { useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { densityStorageKey } from "./density-script.ts";

/** Room taken by the steps of a run. */
export type Density = "comfortable" | "compact";

const chosen = new StoredChoice<Density>({
  key: densityStorageKey,
  parse: (stored) => (stored === "compact" ? stored : "comfortable"),
  apply: (density) => {
    if (density === "compact") document.documentElement.dataset.density = density;
    else delete document.documentElement.dataset.density;
  },
});

/** The current density and a setter. Everything laid out by it depends on the attribute of `<html>` alone, through styles. */
export function useDensity(): { density: Density; setDensity: (density: Density) => void } {
  const density = useSyncExternalStore<Density>(chosen.subscribe, chosen.read, () => "comfortable");
  return { density, setDensity: chosen.choose };
}
