import { useEffect, useRef } from "react";
import type { Find } from "./use-find.ts";

/** Where letters are typed, or what takes keys for itself. */
const taken = "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=tree]";

/**
 * ⌘F or Ctrl+F and `/` look for text in the run; ⌘F once more, while it is being typed, is the browser's own. ⌘G goes to the
 * next hit, with Shift to the one before.
 */
export function useFindKeys(find: Find, isShown: boolean, onOpen: (chosen?: string) => void): void {
  const latest = useRef({ find, onOpen });
  useEffect(() => {
    latest.current = { find, onOpen };
  });
  useEffect(() => {
    if (!isShown) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { find: now, onOpen: show } = latest.current;
      const isCommand = (event.metaKey || event.ctrlKey) && !event.altKey;
      const key = event.key.toLowerCase();
      if (event.defaultPrevented || document.querySelector("[role=dialog]") !== null) return;
      if (isCommand && key === "f" && !event.shiftKey) {
        if (isInBar(event.target)) return;
        show(chosenText());
      } else if (isCommand && key === "g" && now.isOpen) now.step(event.shiftKey ? "previous" : "next");
      else if (event.key === "/" && !isCommand && !event.altKey && !isTaken(event.target)) show();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isShown]);
}

function isInBar(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-finder=run]") !== null;
}

function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(taken) !== null;
}

/** The text that is selected on the page, where it is one that may be looked for. */
function chosenText(): string | undefined {
  const text = window.getSelection()?.toString().trim() ?? "";
  return text === "" || text.length > 100 || text.includes("\n") ? undefined : text;
}
