import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { replaceGlobals } from "#components/feed/frames.fixture.ts";
import { StoredChoice } from "./stored-choice.ts";

class Window extends EventTarget {
  listeners = 0;

  override addEventListener(...given: Parameters<EventTarget["addEventListener"]>): void {
    this.listeners += 1;
    super.addEventListener(...given);
  }

  override removeEventListener(...given: Parameters<EventTarget["removeEventListener"]>): void {
    this.listeners -= 1;
    super.removeEventListener(...given);
  }
}

/** A choice and the storage it is kept in. `chooseElsewhere` is what another page of the browser does. */
function startChoice(t: TestContext) {
  const stored = new Map<string, string>();
  const storage = { isFull: false };
  const window = new Window();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (storage.isFull) throw new Error("QuotaExceededError");
      stored.set(key, value);
    },
  };
  replaceGlobals(t, { window, localStorage });
  const applied: string[] = [];
  const choice = new StoredChoice<string>({
    key: "size",
    parse: (text) => text ?? "small",
    apply: (value) => applied.push(value),
  });
  const chooseElsewhere = (newValue: string) => {
    stored.set("size", newValue);
    window.dispatchEvent(Object.assign(new Event("storage"), { key: "size", newValue }));
  };
  return { window, storage, choice, applied, chooseElsewhere };
}

test("a choice listens to other pages only while something here shows it", (t) => {
  const { choice, window } = startChoice(t);
  const stops = [choice.subscribe(() => {}), choice.subscribe(() => {})];
  assert.equal(window.listeners, 1);
  for (const stop of stops) stop();
  assert.equal(window.listeners, 0);
});

test("a choice made in another page counts while something here shows it, and once something does again", (t) => {
  const { choice, chooseElsewhere, applied } = startChoice(t);
  const read = [choice.read()];
  const stop = choice.subscribe(() => read.push(choice.read()));
  chooseElsewhere("large");
  assert.deepEqual([read, applied], [["small", "large"], ["large"]]);
  stop();
  chooseElsewhere("huge");
  choice.subscribe(() => {});
  assert.equal(choice.read(), "huge");
  assert.deepEqual(applied, ["large", "huge"]);
});

test("a choice that the browser does not store lasts as long as the page", (t) => {
  const { choice, storage } = startChoice(t);
  const stop = choice.subscribe(() => {});
  storage.isFull = true;
  choice.choose("large");
  stop();
  choice.subscribe(() => {});
  assert.equal(choice.read(), "large");
});
