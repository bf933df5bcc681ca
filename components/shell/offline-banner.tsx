"use client";

import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";

/** Says that the browser is offline, for as long as it is. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 border-border border-b bg-muted px-4 py-1.5 text-[13px]">
          <WifiOff aria-hidden className="size-4 shrink-0 text-status-waiting" />
          You are offline. This page catches up by itself.
        </p>
      )}
    </div>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
