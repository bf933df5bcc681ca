import type { RefObject } from "react";
import { resultsKeys } from "#components/keys/list-key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";
import { usePageKeys } from "#components/ui/use-page-keys.ts";

/**
 * Keys that move through the results and to the search field; from the field, the down arrow moves to the first result. Enter
 * opens a result, because it is a link.
 */
export function useResultsKeys(
  results: RefObject<HTMLElement | null>,
  field: RefObject<HTMLInputElement | null>,
): void {
  useKeys(resultsKeys, (act) => {
    if (act === "next") focusResult(results.current, 1);
    else if (act === "previous") focusResult(results.current, -1);
    else {
      field.current?.focus();
      field.current?.select();
    }
  });
  usePageKeys((event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target !== field.current || event.key !== "ArrowDown") return;
    focusResult(results.current, 1);
    event.preventDefault();
  });
}

function focusResult(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>("[data-result]") ?? [])];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  const next = at < 0 ? links[0] : links[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
