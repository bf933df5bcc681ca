"use client";

import { useCallback, useEffect, useRef, useState } from "react";

const SAVED_AFTER_MS = 300;

type Draft = [
  text: string,
  setText: (text: string) => void,
  /** Edits the current draft, even after the reader has left the page. */
  editDraft: (edit: (text: string) => string) => void,
];

/**
 * A text that survives a reload, stored in this browser under `key`. Empty until the page is hydrated. Another page of the browser
 * that changes the draft changes it here too, unless it is being edited here.
 */
export function useDraft(key: string): Draft {
  const [text, setText] = useState("");
  /** The text on this page, null until it was read; and the stored one, as far as this page knows. */
  const draft = useRef<{ shown: string | null; stored: string }>({ shown: null, stored: "" });

  const show = useCallback((next: string) => {
    draft.current.shown = next;
    setText(next);
  }, []);

  const save = useCallback(() => {
    const { shown, stored } = draft.current;
    // What was not edited here may have been sent from another page: it must not come back.
    if (shown === null || shown === stored) return;
    draft.current.stored = shown;
    writeDraft(key, shown);
  }, [key]);

  useEffect(() => {
    draft.current.stored = readDraft(key);
    show(draft.current.shown ?? draft.current.stored);
    const follow = (event: StorageEvent) => {
      const { shown, stored } = draft.current;
      if (event.key !== key || shown !== stored) return;
      draft.current.stored = event.newValue ?? "";
      show(draft.current.stored);
    };
    window.addEventListener("storage", follow);
    window.addEventListener("pagehide", save);
    return () => {
      window.removeEventListener("storage", follow);
      window.removeEventListener("pagehide", save);
      save();
      draft.current.shown = null;
    };
  }, [key, show, save]);

  useEffect(() => {
    if (text === draft.current.stored) return;
    const timer = setTimeout(save, SAVED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, save]);

  const editDraft = useCallback(
    (edit: (text: string) => string) => {
      draft.current.stored = edit(readDraft(key));
      writeDraft(key, draft.current.stored);
      show(edit(draft.current.shown ?? ""));
    },
    [key, show],
  );
  return [text, show, editDraft];
}

// Browsers throw if storage is turned off or full: then a draft lasts as long as the page.

function readDraft(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function writeDraft(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The draft lasts as long as the page.
  }
}
