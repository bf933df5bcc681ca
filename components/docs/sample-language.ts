"use client";

import { useSyncExternalStore } from "react";
import { sampleLanguageAttribute, sampleLanguageStorageKey } from "./sample-language-script.ts";
import { type SampleLanguage, sampleLanguages } from "./samples.ts";

const listeners = new Set<() => void>();

/** The language in which all samples of the page are shown. Styles read it as an attribute of `<html>`. */
export function useSampleLanguage(): SampleLanguage {
  return useSyncExternalStore<SampleLanguage>(subscribe, readLanguage, () => "curl");
}

/** Shows all samples in a language, in every open page of this browser, and remembers it where storage is allowed. */
export function setSampleLanguage(language: SampleLanguage): void {
  apply(language);
  try {
    localStorage.setItem(sampleLanguageStorageKey, language);
  } catch {
    // Where storage is refused the choice lasts as long as the page.
  }
}

function apply(language: SampleLanguage): void {
  document.documentElement.setAttribute(sampleLanguageAttribute, language);
  for (const listener of listeners) listener();
}

function readLanguage(): SampleLanguage {
  return languageOf(document.documentElement.getAttribute(sampleLanguageAttribute));
}

function languageOf(value: string | null): SampleLanguage {
  return sampleLanguages.find(({ id }) => id === value)?.id ?? "curl";
}

function onStorage({ key, newValue }: StorageEvent): void {
  if (key === sampleLanguageStorageKey) apply(languageOf(newValue));
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", onStorage);
  };
}
