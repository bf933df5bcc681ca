/** Storage key of the diff layout. */
export const diffLayoutStorageKey = "errand-diff-layout";

/**
 * Records before the first paint, as an attribute of `<html>`, that the reader wants diffs side by side: the server's HTML is
 * unified, and a style hides it until it is laid out again. For the head, beside the theme's script.
 */
export const diffLayoutScript = `(() => {
  let layout = null;
  try { layout = localStorage.getItem("${diffLayoutStorageKey}"); } catch {}
  if (layout === "side-by-side") document.documentElement.dataset.diffs = layout;
})();`;
