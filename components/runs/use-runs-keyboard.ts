"use client";

import { useRouter } from "next/navigation";
import type { RefObject } from "react";
import { runsKeys } from "#components/keys/list-key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";

/** Moves through the rows, opens New run at its address, focuses the search. Enter opens a row, because it is a link. */
export function useRunsKeyboard(
  rows: RefObject<HTMLElement | null>,
  search: RefObject<HTMLInputElement | null>,
  newRunHref: string,
): void {
  const router = useRouter();
  useKeys(runsKeys, (act) => {
    if (act === "next") focusRow(rows.current, 1);
    else if (act === "previous") focusRow(rows.current, -1);
    else if (act === "new") router.push(newRunHref);
    else {
      search.current?.focus();
      search.current?.select();
    }
  });
}

function focusRow(list: HTMLElement | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>(":scope > li > a") ?? [])];
  const at = links.findIndex((link) => link.contains(document.activeElement));
  const next = at < 0 ? links[0] : links[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
