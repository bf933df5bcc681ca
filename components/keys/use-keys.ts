"use client";

import { useEffect } from "react";
import { usePageKeys } from "#components/ui/use-page-keys.ts";
import { isComposing } from "./composing.ts";
import { actOf, type KeyTable, keyOf } from "./key-tables.ts";

const bound = new Set<KeyTable>();

/** Tables of the currently active shortcuts, in the order they were added. */
export function boundKeyTables(): readonly KeyTable[] {
  return [...bound];
}

/**
 * Binds the shortcuts of a table and lists them in the dialog. Text fields, dialogs, menus and trees take precedence; shortcuts
 * with a command key work everywhere.
 *
 * @param onAct performs the action; if it returns false, the key is left to others
 * @param isShown while false, the shortcuts are neither active nor listed
 */
export function useKeys<Act extends string>(
  table: KeyTable<Act>,
  onAct: (act: Act, event: KeyboardEvent) => unknown,
  isShown = true,
): void {
  useEffect(() => {
    if (!isShown) return;
    bound.add(table);
    return () => void bound.delete(table);
  }, [table, isShown]);
  usePageKeys((event) => {
    if (event.defaultPrevented || event.altKey || isComposing(event)) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand ? event.shiftKey : isForOthers(event.target)) return;
    const act = actOf(table, keyOf(event), isCommand);
    if (act !== null && onAct(act, event) !== false) event.preventDefault();
  }, isShown);
}

const takesLetters = "input, textarea, select, [contenteditable], [role=tree]";
const open = "[role=dialog], [role=menu], [role=listbox]";

/** Whether a key pressed there is a text field's, a tree's, or an open dialog's or menu's. */
export function isForOthers(target: EventTarget | null): boolean {
  return (target instanceof Element && target.closest(takesLetters) !== null) || document.querySelector(open) !== null;
}
