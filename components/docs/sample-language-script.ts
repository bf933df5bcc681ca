/** Storage key of the language of samples. */
export const sampleLanguageStorageKey = "errand-sample-language";
/** Attribute of `<html>` with that language; styles show the matching samples (`typescript:`, `python:`). */
export const sampleLanguageAttribute = "data-sample-language";

/**
 * Selects the language of samples before the first paint, so that none changes once it is visible. For the head, beside the
 * theme's script.
 */
export const sampleLanguageScript = `(() => {
  let language = null;
  try { language = localStorage.getItem("${sampleLanguageStorageKey}"); } catch {}
  if (language) document.documentElement.setAttribute("${sampleLanguageAttribute}", language);
})();`;
