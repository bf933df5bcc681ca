import type { KeyboardEvent } from "react";
import { isComposing } from "./composing.ts";

/** Ctrl+Enter or ⌘Enter, which submits a form from its text fields; not while an input method is composing a word. */
export function isSubmitKey({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && (ctrlKey || metaKey) && !isComposing(nativeEvent);
}
