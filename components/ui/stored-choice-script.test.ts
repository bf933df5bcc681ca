import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { storedChoiceScript } from "./stored-choice-script.ts";

declare const shown: unknown[];
const script = storedChoiceScript("a-key", (stored) => {
  shown.push(stored);
});

/** What `show` is called with if the browser's storage reads so. Two scripts stand beside each other in the head. */
function shownWith(getItem: (key: string) => string | null): unknown[] {
  const shown: unknown[] = [];
  runInNewContext(`${script}${script}`, { shown, localStorage: { getItem } });
  return shown;
}

test("shows what is stored under the key", () => {
  assert.deepEqual(
    shownWith((key) => `text of ${key}`),
    ["text of a-key", "text of a-key"],
  );
});

test("shows null if nothing is stored, and if the browser refuses its storage", () => {
  const refuse = () => {
    throw new Error("SecurityError");
  };
  assert.deepEqual(
    [shownWith(() => null), shownWith(refuse)],
    [
      [null, null],
      [null, null],
    ],
  );
});
