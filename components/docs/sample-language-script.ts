import { storedChoiceScript } from "#components/ui/stored-choice-script.ts";

/** Storage key of the language of samples. */
export const sampleLanguageStorageKey = "errand-sample-language";

/** Shows the samples in the chosen language: styles read an attribute of `<html>` (`typescript:`, `python:`). */
export const sampleLanguageScript = storedChoiceScript(sampleLanguageStorageKey, (language) => {
  if (language) document.documentElement.dataset.sampleLanguage = language;
});
