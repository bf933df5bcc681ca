"use client";

import { useEffect, useSyncExternalStore } from "react";
import { ServerReach } from "#lib/client/server-reach.ts";

/** Whether the server of this page can be reached. Nothing is asked before {@link useServerWatch}. */
export const serverReach = new ServerReach({
  ask: async () => {
    // A page that nobody sees need not know.
    if (document.hidden) return !serverReach.isLost;
    try {
      return (await fetch("/healthz", { cache: "no-store" })).status < 502;
    } catch {
      return false;
    }
  },
  schedule: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
});

/** Whether the server is gone just now. */
export function useIsServerLost(): boolean {
  return useSyncExternalStore(
    serverReach.subscribe,
    () => serverReach.isLost,
    () => false,
  );
}

/** Watches the server for as long as the page is there; who wants to go elsewhere while it is gone goes when it is back. */
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

/** The router's own requests are among them: where one finds no server, the router leaves for the browser's error page. */
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

/** Keeps the page while the server is gone. A reload is the reader's own wish. */
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
