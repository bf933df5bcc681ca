/** Where the language of samples is kept in the browser. */
export const sampleLanguageStorageKey = "errand-sample-language";
/** The attribute of `<html>` that names it; styles show the samples of that language (`typescript:`, `python:`). */
export const sampleLanguageAttribute = "data-sample-language";

/** Says before the first paint which samples to show, so that none changes after it was seen. For the head, beside the theme's script. */
export const sampleLanguageScript = `(() => {
  let language = null;
  try { language = localStorage.getItem("${sampleLanguageStorageKey}"); } catch {}
  if (language) document.documentElement.setAttribute("${sampleLanguageAttribute}", language);
})();`;
