"use client";

import { useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { focusContent } from "./use-kept-focus.ts";

/** Tries again what failed. It usually goes away at once, and then leaves the focus to the page's content. */
export function RetryButton({ onRetry, size }: { onRetry: () => void; size?: "sm" }) {
  const isFocused = useRef(false);
  useEffect(
    () => () => {
      // Later, so that a part of the page or a dialog that keeps the focus comes first.
      if (isFocused.current) queueMicrotask(focusContent);
    },
    [],
  );
  return (
    <Button
      variant="outline"
      size={size}
      onClick={onRetry}
      onFocus={() => {
        isFocused.current = true;
      }}
      onBlur={() => {
        isFocused.current = false;
      }}
    >
      Try again
    </Button>
  );
}
