"use client";

import { useCallback, useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import type { Loadable } from "./use-loaded.ts";

/** Says so where a part of the page could not be fetched, until it is there. Keep the identity of `parts`. */
export function NotFetched({ parts }: { parts: readonly Loadable<unknown>[] }) {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = parts.map((part) => part.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [parts],
  );
  const hasFailed = useSyncExternalStore(
    subscribe,
    () => parts.some((part) => part.hasFailed()),
    () => false,
  );
  if (!hasFailed) return null;
  return (
    <p
      role="alert"
      className="fixed inset-x-4 bottom-20 z-50 mx-auto w-fit rounded-md border border-border bg-popover px-3 py-2 text-[13px] text-popover-foreground shadow-sm"
    >
      A part of this page could not be loaded.{" "}
      <Button variant="link" size="sm" onClick={() => window.location.reload()}>
        Load the page again
      </Button>
    </p>
  );
}
