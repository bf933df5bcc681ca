import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { runInThisContext } from "node:vm";
import { replaceGlobals } from "#components/feed/frames.fixture.ts";
import { hasEarlyEvents, repeatEarlyEvents } from "./early-events.ts";
import { earlyEventsScript } from "./early-events-script.ts";

/** An element that matches the selectors given. Its events pass the window first, then go up from it to the document. */
class StandIn extends EventTarget {
  readonly matches: readonly string[];
  readonly parent: StandIn | null;
  readonly isConnected = true;

  constructor(parent: StandIn | null = null, ...matches: string[]) {
    super();
    this.parent = parent;
    this.matches = matches;
  }

  closest(selectors: string): StandIn | null {
    return selectors.split(", ").some((one) => this.matches.includes(one))
      ? this
      : (this.parent?.closest(selectors) ?? null);
  }

  contains(other: StandIn): boolean {
    return other === this || (other.parent !== null && this.contains(other.parent));
  }

  hasAttribute(name: string): boolean {
    return this.matches.includes(`[${name}]`);
  }

  focus(): void {
    Object.assign(document, { activeElement: this });
  }

  override dispatchEvent(event: Event): boolean {
    Object.defineProperty(event, "target", { value: this });
    let isStopped = false;
    event.stopPropagation = () => {
      isStopped = true;
    };
    window.dispatchEvent(event);
    for (let node: StandIn | null = this; node !== null && !isStopped; node = node.parent) node.hear(event);
    return !event.defaultPrevented;
  }

  hear(event: Event): void {
    super.dispatchEvent(event);
  }
}

class Field extends StandIn {
  #value = "";

  get value(): string {
    return this.#value;
  }

  set value(text: string) {
    this.#value = text;
  }
}

class MouseEvent extends Event {
  constructor(type: string, _from?: object) {
    super(type, { cancelable: true });
  }
}

class PointerEvent extends MouseEvent {}

class KeyboardEvent extends Event {
  readonly key: string;

  constructor(type: string, { key }: { key: string }) {
    super(type, { cancelable: true });
    this.key = key;
  }
}

/** A page whose scripts have not run yet, apart from the one in its head. */
function openPage(t: TestContext) {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const root = new StandIn();
  const body = new StandIn(root);
  replaceGlobals(t, {
    ...{ Node: StandIn, Element: StandIn, HTMLInputElement: Field, HTMLTextAreaElement: class {} },
    ...{ MouseEvent, PointerEvent, KeyboardEvent, InputEvent: Event },
    ...{ window: new EventTarget(), document: { documentElement: root, body, activeElement: body } },
    location: { origin: "https://errand", pathname: "/runs/7" },
  });
  runInThisContext(earlyEventsScript);
  const done: string[] = [];
  /** From now on the page handles these keys. */
  const handleKeys = (letters: string) =>
    root.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || !letters.includes(event.key)) return;
      event.preventDefault();
      done.push(event.key);
    });
  return {
    ...{ body, done, handleKeys },
    /** A part of the page that handles clicks with `name`. */
    add: (name: string, ...matches: string[]) => {
      const element = new StandIn(body, ...matches);
      element.addEventListener("click", () => done.push(name));
      return element;
    },
    pressKeys: (letters: string, target: StandIn = body) => {
      for (const key of letters) target.dispatchEvent(new KeyboardEvent("keydown", { key }));
    },
    hydrate: () => {
      window.errandEarlyEvents.hasReact = true;
      repeatEarlyEvents(document.body);
      repeatEarlyEvents(document.documentElement);
    },
    pass: (ms: number) => {
      for (let step = 0; step < ms; step += 50) {
        now += 50;
        t.mock.timers.tick(50);
      }
    },
  };
}

test("what is pressed before the scripts have run is done once they have, in order and once", (t) => {
  const { add, done, handleKeys, pressKeys, hydrate, pass } = openPage(t);
  const [one, other] = [add("one", "button"), add("other", "button")];
  handleKeys("jk");
  for (const button of [other, one, other]) button.dispatchEvent(new MouseEvent("click"));
  pressKeys("kj");
  assert.deepEqual(done, []);
  hydrate();
  pass(100);
  assert.deepEqual(done, ["other", "one", "other", "k", "j"]);
  assert.equal(window.errandEarlyEvents.kept.size, 0);
  pressKeys("j");
  one.dispatchEvent(new MouseEvent("click"));
  assert.deepEqual(done.slice(5), ["j", "one"]);
});

test("a key waits for its handler, and those behind it wait for 10 s at most", (t) => {
  const { done, handleKeys, pressKeys, hydrate, pass } = openPage(t);
  pressKeys("jak");
  hydrate();
  pass(500);
  handleKeys("jk");
  pass(9_000);
  assert.deepEqual(done, ["j"]);
  pass(1_000);
  assert.deepEqual(done, ["j", "k"]);
});

for (const [what, press] of [
  ["key", () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "J" }))],
  ["press", () => document.body.dispatchEvent(new PointerEvent("pointerdown"))],
] as const) {
  test(`the next ${what} of the reader ends the waiting: they act on what they see`, (t) => {
    const { body, done, handleKeys, pressKeys, hydrate, pass } = openPage(t);
    handleKeys("jJ");
    pressKeys("aj");
    hydrate();
    pass(500);
    press();
    const field = new Field(body, "input");
    field.focus();
    pass(10_000);
    assert.deepEqual(done, what === "key" ? ["J"] : []);
    assert.equal(field.value, "");
  });
}

test("a key that comes before the early ones were dispatched again does not end them", (t) => {
  const { done, handleKeys, pressKeys, hydrate, pass } = openPage(t);
  handleKeys("jk");
  pressKeys("jj");
  hydrate();
  pressKeys("k");
  pass(100);
  assert.deepEqual(done, ["k", "j", "j"]);
});

test("keys behind one that opens a field are typed into it", (t) => {
  const { body, pressKeys, hydrate, pass } = openPage(t);
  const field = new Field(body, "input");
  body.addEventListener("keydown", (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== "/") return;
    event.preventDefault();
    field.focus();
  });
  pressKeys("/ab");
  hydrate();
  pass(100);
  assert.equal(field.value, "ab");
});

test("an island keeps what is pressed in it until it is hydrated; keys of the page go on to the page", (t) => {
  const { add, done, handleKeys, pressKeys, hydrate } = openPage(t);
  const [island, header] = [add("island", "[data-island]"), add("header", "button")];
  handleKeys("j");
  hydrate();
  const turnedTo: string[] = [];
  island.addEventListener("turned-to", () => turnedTo.push("island"));
  for (const part of [island, header]) part.dispatchEvent(new MouseEvent("click"));
  pressKeys("j", island);
  assert.deepEqual(done, ["header", "j"]);
  assert.ok(turnedTo.length > 0);
  repeatEarlyEvents(island as unknown as Element);
  assert.deepEqual(done, ["header", "j", "island"]);
});

test("a list is known to be used as long as something pressed in it waits", (t) => {
  const { body, hydrate } = openPage(t);
  const [list, other] = [new StandIn(body), new StandIn(body)];
  const areUsed = () => [list, other].map((part) => hasEarlyEvents(part as unknown as Element));
  new StandIn(list, "button").dispatchEvent(new MouseEvent("click"));
  assert.deepEqual(areUsed(), [true, false]);
  hydrate();
  assert.deepEqual(areUsed(), [false, false]);
});

test("fields and links to other pages are left to the browser, and no form is sent without its script", (t) => {
  const { body, add, pressKeys } = openPage(t);
  const typed: string[] = [];
  const field = new Field(body, "input");
  field.addEventListener("keydown", (event) => typed.push((event as unknown as KeyboardEvent).key));
  pressKeys("j", field);
  assert.deepEqual(typed, ["j"]);
  const link = Object.assign(add("link", "a[href]"), { origin: "https://errand", pathname: "/runs/8" });
  assert.ok(link.dispatchEvent(new MouseEvent("click")));
  link.pathname = "/runs/7";
  assert.equal(link.dispatchEvent(new MouseEvent("click")), false);
  assert.equal(add("form").dispatchEvent(new Event("submit", { cancelable: true })), false);
});
