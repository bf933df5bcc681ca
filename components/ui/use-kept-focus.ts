"use client";

import { type FocusEventHandler, type RefObject, useEffect, useRef } from "react";

/** Gives the focus to the page's content if nothing has it. */
export function focusContent(): void {
  if (document.activeElement === document.body) document.querySelector("main")?.focus({ preventScroll: true });
}

/**
 * Keeps the focus in a part of a page: if the focused control disappears, `place` gets the focus instead of the whole page, or the
 * page's content if `place` has disappeared too. React sends no blur event for an element that it removes, only when a person moves
 * the focus.
 *
 * @param place an element that takes the focus, such as with `tabIndex={-1}`
 * @returns handlers for the part; dialogs that are its React children belong to it
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>): {
  onFocus: FocusEventHandler;
  onBlur: FocusEventHandler;
} {
  const isInside = useRef(false);
  // After every render: any may have removed the control.
  useEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    isInside.current = false;
    place.current?.focus({ preventScroll: true });
    focusContent();
  });
  return {
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: () => {
      isInside.current = false;
    },
  };
}
