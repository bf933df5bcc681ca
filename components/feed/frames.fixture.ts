import type { TestContext } from "node:test";

/** The browser's frames and clock, both moved by the test. */
export function holdFrames(t: TestContext) {
  const waiting = new Map<number, () => void>();
  let now = 1000;
  let last = 0;
  const replaced = {
    requestAnimationFrame: (callback: () => void) => {
      last += 1;
      waiting.set(last, callback);
      return last;
    },
    cancelAnimationFrame: (frame: number) => void waiting.delete(frame),
  };
  const before = Object.keys(replaced).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  t.after(() => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
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
