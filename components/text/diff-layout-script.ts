import { storedChoiceScript } from "#components/ui/stored-choice-script.ts";

/** Storage key of the diff layout. */
export const diffLayoutStorageKey = "errand-diff-layout";

/**
 * Marks `<html>` if the reader wants diffs side by side. The server's HTML is unified, and is hidden by a style until it is laid
 * out again.
 */
export const diffLayoutScript = storedChoiceScript(diffLayoutStorageKey, (layout) => {
  if (layout === "side-by-side") document.documentElement.dataset.diffs = layout;
});
