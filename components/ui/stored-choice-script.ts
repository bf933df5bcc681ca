/**
 * Script that shows a `StoredChoice` before the first paint, so that nothing changes once it is visible. For the head of every
 * page. `show` takes the stored text, null if nothing is stored; it is put into the page as text, so it uses nothing around it.
 */
export function storedChoiceScript(key: string, show: (stored: string | null) => void): string {
  return `{
  let stored = null;
  try { stored = localStorage.getItem("${key}"); } catch {}
  (${show})(stored);
}`;
}
