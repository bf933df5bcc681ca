/** Storage key of the density. */
export const densityStorageKey = "errand-density";

/**
 * Sets the density before the first paint, as an attribute of `<html>` that styles read (`compact:`), so that no card changes
 * its height after it was seen. For the head, beside the theme's script.
 */
export const densityScript = `(() => {
  let density = null;
  try { density = localStorage.getItem("${densityStorageKey}"); } catch {}
  if (density === "compact") document.documentElement.dataset.density = "compact";
})();`;
