"use client";

import { useCallback, useEffect, useState } from "react";

const SAVED_AFTER_MS = 300;

type Draft = [
  text: string,
  setText: (text: string) => void,
  /** Changes what the draft is by then, also when the reader has left the page meanwhile. */
  editDraft: (edit: (text: string) => string) => void,
];

/** A text that survives a reload, stored in this browser under `key`. Empty until the page is hydrated. */
export function useDraft(key: string): Draft {
  const [text, setText] = useState<string | null>(null);

  useEffect(() => {
    const saved = readDraft(key);
    setText((typed) => typed ?? saved);
  }, [key]);

  useEffect(() => {
    if (text === null) return;
    const save = () => writeDraft(key, text);
    const timer = setTimeout(save, SAVED_AFTER_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [key, text]);

  const editDraft = useCallback(
    (edit: (text: string) => string) => {
      writeDraft(key, edit(readDraft(key)));
      setText((now) => edit(now ?? ""));
    },
    [key],
  );
  return [text ?? "", setText, editDraft];
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
    // See above.
  }
}
