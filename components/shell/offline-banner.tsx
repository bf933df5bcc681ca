"use client";

import { Unplug, WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useIsServerLost, useServerWatch } from "./server-watch.ts";

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const isOnline = useIsOnline();
  return <div role="status">{!isOnline && <Offline />}</div>;
}

/** Shown while the browser is offline or the server cannot be reached. */
export function ConnectionWatch() {
  useServerWatch();
  const isOnline = useIsOnline();
  const isLost = useIsServerLost();
  return (
    <div role="status" className="sticky top-0 z-30">
      {isOnline ? isLost && <ServerLost /> : <Offline />}
    </div>
  );
}

const lineClasses = "flex items-center justify-center gap-2 border-border border-b bg-muted px-4 py-1.5 text-[13px]";

function Offline() {
  return (
    <p className={lineClasses}>
      <WifiOff aria-hidden className="size-4 shrink-0 text-status-waiting" />
      You are offline. This page will catch up when you are back.
    </p>
  );
}

function ServerLost() {
  return (
    <p className={lineClasses}>
      <Unplug aria-hidden className="size-4 shrink-0 text-status-waiting" />
      Errand cannot be reached. Reconnecting; links will work when it is back.
    </p>
  );
}

function useIsOnline(): boolean {
  return useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
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
