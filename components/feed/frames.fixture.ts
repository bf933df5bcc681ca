import type { TestContext } from "node:test";

/** Gives the global scope these values until the test ends. */
export function replaceGlobals(t: TestContext, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    });
  }
}

/** Replaces the browser's frames and clock with ones that the test advances. */
export function holdFrames(t: TestContext) {
  const waiting = new Map<number, () => void>();
  let now = 1000;
  let last = 0;
  replaceGlobals(t, {
    requestAnimationFrame: (callback: () => void) => {
      last += 1;
      waiting.set(last, callback);
      return last;
    },
    cancelAnimationFrame: (frame: number) => void waiting.delete(frame),
  });
  t.mock.method(performance, "now", () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  /** Runs what waits for the next frame, which comes after `ms`. */
  const frame = (ms = 16) => {
    pass(ms);
    const due = [...waiting.values()];
    waiting.clear();
    for (const callback of due) callback();
  };
  return { pass, frame, isIdle: () => waiting.size === 0 };
}
