"use client";

import { useEffect, useSyncExternalStore } from "react";
import { ServerReach } from "#lib/client/server-reach.ts";

/** Whether the server of this page can be reached. Nothing is requested before {@link useServerWatch}. */
export const serverReach = new ServerReach({
  ask: async () => {
    // A hidden page need not know.
    if (document.hidden) return !serverReach.isLost;
    try {
      // Without a body: one that nobody reads keeps its request open.
      return (await fetch("/healthz", { method: "HEAD", cache: "no-store" })).status < 502;
    } catch {
      return false;
    }
  },
  schedule: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
});

/** Whether the server is currently gone. */
export function useIsServerLost(): boolean {
  return useSyncExternalStore(
    serverReach.subscribe,
    () => serverReach.isLost,
    () => false,
  );
}

/** Watches the server as long as the page is open; a navigation requested while it is gone happens when it is back. */
export function useServerWatch(): void {
  useEffect(() => {
    const ends = [serverReach.watch(), watchRequests(), holdNavigations()];
    ends.push(
      serverReach.subscribe(() => {
        const wanted = serverReach.isLost ? null : serverReach.takeWanted();
        if (wanted !== null) window.location.assign(wanted);
      }),
    );
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

/** This includes the router's own requests: if one finds no server, the router would leave for the browser's error page. */
function watchRequests(): () => void {
  const original = window.fetch;
  window.fetch = async (...given) => {
    try {
      return await original(...given);
    } catch (error) {
      if (error instanceof TypeError && navigator.onLine) serverReach.noticed(false);
      throw error;
    }
  };
  return () => {
    window.fetch = original;
  };
}

/** Keeps the page while the server is gone. A reload is the reader's own choice. */
function holdNavigations(): () => void {
  const { navigation } = window;
  const onNavigate = (event: NavigateEvent) => {
    const { destination, navigationType, cancelable, hashChange, downloadRequest } = event;
    const isOfOurs = new URL(destination.url).origin === window.location.origin;
    if (!cancelable || !isOfOurs || destination.sameDocument || hashChange || downloadRequest !== null) return;
    if (navigationType !== "reload" && serverReach.keep(destination.url)) event.preventDefault();
  };
  navigation?.addEventListener("navigate", onNavigate);
  return () => navigation?.removeEventListener("navigate", onNavigate);
}
