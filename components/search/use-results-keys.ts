import type { RefObject } from "react";
import { usePageKeys } from "#components/ui/use-page-keys.ts";

/** j and k go through the results, Enter opens one (it is a link), `/` goes to the field. */
export function useResultsKeys(
  results: RefObject<HTMLElement | null>,
  field: RefObject<HTMLInputElement | null>,
): void {
  usePageKeys((event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target === field.current && event.key === "ArrowDown") focusResult(results.current, 1);
    else if (isTakenElsewhere(event.target)) return;
    else if (event.key === "j") focusResult(results.current, 1);
    else if (event.key === "k") focusResult(results.current, -1);
    else if (event.key === "/") {
      field.current?.focus();
      field.current?.select();
    } else return;
    event.preventDefault();
  });
}

function isTakenElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog], [role=menu], [role=listbox]") !== null) return true;
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function focusResult(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>("[data-result]") ?? [])];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  const next = at < 0 ? links[0] : links[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
