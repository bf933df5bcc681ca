"use client";

import { useRouter } from "next/navigation";
import type { RefObject } from "react";
import { usePageKeys } from "#components/ui/use-page-keys.ts";

/** j and k move through the rows, Enter opens one (it is a link), n starts a run, / goes to the search. */
export function useRunsKeyboard(rows: RefObject<HTMLElement | null>, search: RefObject<HTMLInputElement | null>): void {
  const router = useRouter();
  usePageKeys((event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTakenElsewhere(event.target))
      return;
    switch (event.key) {
      case "j":
        focusRow(rows.current, 1);
        break;
      case "k":
        focusRow(rows.current, -1);
        break;
      case "n":
        router.push("/runs/new");
        break;
      case "/":
        search.current?.focus();
        search.current?.select();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}

/** Letters belong to what takes text, and to menus, which find their items by them. */
function isTakenElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog], [role=menu], [role=listbox]") !== null) return true;
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function focusRow(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>(":scope > li > a") ?? [])];
  const at = links.findIndex((link) => link.contains(document.activeElement));
  const next = at < 0 ? links[0] : links[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
