/** Storage key of the diff layout. */
export const diffLayoutStorageKey = "errand-diff-layout";

/**
 * Marks `<html>` before the first paint if the reader wants diffs side by side. The server's HTML is unified, and is hidden by a
 * style until it is laid out again. For the head, beside the theme's script.
 */
export const diffLayoutScript = `(() => {
  let layout = null;
  try { layout = localStorage.getItem("${diffLayoutStorageKey}"); } catch {}
  if (layout === "side-by-side") document.documentElement.dataset.diffs = layout;
})();`;
