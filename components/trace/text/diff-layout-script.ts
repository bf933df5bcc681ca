/** Where the choice of a layout for diffs is kept in the browser. */
export const diffLayoutStorageKey = "errand-diff-layout";

/**
 * Says before the first paint, as an attribute of `<html>`, that the reader wants diffs side by side: what the server drew is
 * unified, and a style keeps it out of sight until it is laid out anew. For the head, beside the theme's script.
 */
export const diffLayoutScript = `(() => {
  let layout = null;
  try { layout = localStorage.getItem("${diffLayoutStorageKey}"); } catch {}
  if (layout === "side-by-side") document.documentElement.dataset.diffs = layout;
})();`;
