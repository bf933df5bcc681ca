"use client";

import { useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { sampleLanguageStorageKey } from "./sample-language-script.ts";
import { type SampleLanguage, sampleLanguages } from "./samples.ts";

const chosen = new StoredChoice<SampleLanguage>({
  key: sampleLanguageStorageKey,
  parse: (stored) => sampleLanguages.find(({ id }) => id === stored)?.id ?? "curl",
  apply: (language) => {
    document.documentElement.dataset.sampleLanguage = language;
  },
});

/** Language of all samples on the page. Styles read it as an attribute of `<html>`. */
export function useSampleLanguage(): SampleLanguage {
  return useSyncExternalStore<SampleLanguage>(chosen.subscribe, chosen.read, () => "curl");
}

/** Shows all samples in a language. */
export const setSampleLanguage = chosen.choose;
