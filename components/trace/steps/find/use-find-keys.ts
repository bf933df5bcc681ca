import { isComposing } from "#components/keys/composing.ts";
import { findKeys, keyOf } from "#components/keys/key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";
import type { TraceFinder } from "#components/trace/reader/trace-finder.ts";
import { usePageKeys } from "#components/ui/use-page-keys.ts";

/**
 * ⌘F or Ctrl+F and `/` open the search in the run; ⌘F pressed again in its field opens the browser's own. ⌘G goes to the next
 * hit, with Shift to the previous one. `open` returns whether the search can be opened; if not, ⌘F is left to the browser.
 */
export function useFindKeys(finder: TraceFinder, isShown: boolean, open: (chosen?: string) => boolean): void {
  usePageKeys((event) => {
    const isCommand = (event.metaKey || event.ctrlKey) && !event.altKey;
    const key = keyOf(event).toLowerCase();
    if (event.defaultPrevented || isComposing(event) || document.querySelector("[role=dialog]") !== null) return;
    if (isCommand && key === "f" && !event.shiftKey) {
      if (isInBar(event.target) || !open(chosenText())) return;
    } else if (isCommand && key === "g" && finder.snapshot.isOpen) {
      void finder.step(event.shiftKey ? "previous" : "next");
    } else return;
    event.preventDefault();
  }, isShown);
  useKeys(findKeys, () => open(), isShown);
}

function isInBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-finder=run]") !== null;
}

/** The text selected on the page, if it is suitable as a search text. */
function chosenText(): string | undefined {
  const text = window.getSelection()?.toString().trim() ?? "";
  return text === "" || text.length > 100 || text.includes("\n") ? undefined : text;
}
