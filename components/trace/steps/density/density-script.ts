import { storedChoiceScript } from "#components/ui/stored-choice-script.ts";

/** Storage key of the density. */
export const densityStorageKey = "errand-density";

/** Shows the density, as an attribute of `<html>` that styles read (`compact:`). */
export const densityScript = storedChoiceScript(densityStorageKey, (density) => {
  if (density === "compact") document.documentElement.dataset.density = density;
});
