"use client";

import { useEffect, useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import { failedChunks } from "./use-loaded.ts";

/** Reports chunks of the page that failed to load, until they are loaded. Used once, near the root. */
export function FailedChunks() {
  const isAny = useSyncExternalStore(failedChunks.subscribe, failedChunks.isAny, () => false);
  useEffect(() => {
    window.addEventListener("online", failedChunks.retry);
    return () => window.removeEventListener("online", failedChunks.retry);
  }, []);
  if (!isAny) return null;
  return (
    <p
      role="alert"
      className="fixed inset-x-4 bottom-20 z-50 mx-auto w-fit rounded-md border border-border bg-popover px-3 py-2 text-[13px] text-popover-foreground shadow-sm"
    >
      Part of this page could not be loaded.{" "}
      <Button variant="link" size="sm" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </p>
  );
}
