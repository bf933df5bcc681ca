"use client";

import { useEffect, useSyncExternalStore } from "react";
import { ServerReach } from "#lib/client/live/server-reach.ts";
import { serverClock } from "./server-clock.ts";

/** A server that takes longer than this, in ms, counts as gone: it hangs, or the network swallows what is sent. */
const answerMsMax = 10_000;

/** Whether this page's server can be reached. Sends no requests before {@link useServerWatch} is used. */
export const serverReach = new ServerReach(async () => {
  // A hidden page does not need to know.
  if (document.hidden) return !serverReach.isLost;
  try {
    // A request without a body to read: an unread body would keep the request open.
    const askedMs = Date.now();
    const signal = AbortSignal.timeout(answerMsMax);
    const { status, headers } = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal });
    serverClock.note(headers.get("date"), askedMs, Date.now());
    return status < 502;
  } catch {
    return false;
  }
});

/** Whether the server is currently gone. */
export function useIsServerLost(): boolean {
  return useSyncExternalStore(
    serverReach.subscribe,
    () => serverReach.isLost,
    () => false,
  );
}

/** Watches the server as long as the page is open. A navigation requested while it is gone happens when it is back. */
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

/** Covers the router's own requests too: if one of them fails, the router would leave for the browser's error page. */
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

/** Keeps the reader on the page while the server is gone, except for a reload, which is their own choice. */
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
