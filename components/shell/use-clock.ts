"use client";

import { useSyncExternalStore } from "react";
import { serverClock } from "./server-clock.ts";
import { serverReach } from "./server-watch.ts";

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let nowMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Value of `read` for the current time by the server's clock, in ms, updated every second. One timer serves the page, and a
 * component renders again only when its value has changed. `read` returns a primitive. With `isTicking` false the value is taken
 * once and stays.
 */
export function useClock<T extends string | number>(read: (nowMs: number) => T, isTicking = true): T {
  const readNow = () => read(currentMs());
  return useSyncExternalStore(isTicking ? subscribe : subscribeToNothing, readNow, readNow);
}

function currentMs(): number {
  // Without a timer nobody else moves the clock; it stands still within a tick because React reads it twice and compares.
  const now = serverClock.at(Date.now());
  if (timer === undefined && Math.abs(now - nowMs) >= TICK_MS) nowMs = now;
  return nowMs;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  // State from an unreachable server is as old as its last response.
  if (serverReach.isLost) return;
  nowMs = serverClock.at(Date.now());
  for (const listener of listeners) listener();
}

function subscribeToNothing(): () => void {
  return () => {};
}
