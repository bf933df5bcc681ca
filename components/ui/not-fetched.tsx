"use client";

import { useEffect, useSyncExternalStore } from "react";
import { Button } from "./button.tsx";
import { notFetched } from "./use-loaded.ts";

/** Says so where a part of the page could not be fetched, until it is there; once, near the root. */
export function NotFetched() {
  const isAny = useSyncExternalStore(notFetched.subscribe, notFetched.isAny, () => false);
  useEffect(() => {
    window.addEventListener("online", notFetched.retry);
    return () => window.removeEventListener("online", notFetched.retry);
  }, []);
  if (!isAny) return null;
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
