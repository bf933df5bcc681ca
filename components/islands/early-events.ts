import type { EarlyEvent } from "./early-events-script.ts";

/** Calls back when something is done to an island, or was done already. Returns how to give it up. */
export function onTouch(island: Element, callback: () => void): () => void {
  const { kept, onTouch } = window.errandEarlyEvents;
  onTouch.set(island, callback);
  if (kept.has(island)) callback();
  return () => onTouch.delete(island);
}

/** Does again, in order, what was done to an island, to the body, or with the page's keys (the root element). */
export function repeatEarlyEvents(owner: Element): void {
  const { kept } = window.errandEarlyEvents;
  const events = kept.get(owner) ?? [];
  kept.delete(owner);
  if (owner === document.documentElement) repeatKeys(events, performance.now() + takenWithinMs);
  else for (const early of events) repeat(early);
}

/** How long keys of the page wait for a part that takes them, and how often they are tried, in ms. */
const takenWithinMs = 10_000;
const triedEveryMs = 50;

/**
 * One by one: each key of the page meets what the one before has changed. On a busy machine the part that takes it may come long
 * after the first one that listens: a key that nothing takes is tried again, and those behind it wait.
 */
function repeatKeys([first, ...others]: readonly EarlyEvent[], until: number, afterMs = 0): void {
  if (first === undefined) return;
  setTimeout(() => {
    if (repeat(first)) repeatKeys(others, until);
    else if (performance.now() < until) repeatKeys([first, ...others], until, triedEveryMs);
  }, afterMs);
}

/** False if it is a key that nothing has taken. */
function repeat({ event, value }: EarlyEvent): boolean {
  const { target, type } = event;
  if (!(target instanceof Element) || !target.isConnected) return true;
  // The press was kept from moving the focus (early-events-script.ts).
  if (type === "pointerdown" && document.activeElement === document.body) target.closest("button")?.focus();
  if (value !== null && isTextField(target)) typeAgain(target, value);
  else if (event instanceof KeyboardEvent) return pressAgain(event, target);
  else if (event instanceof PointerEvent) doAgain(target, new PointerEvent(type, event));
  else if (event instanceof MouseEvent) doAgain(target, new MouseEvent(type, event));
  return true;
}

/** A key that was pressed where nothing had the focus goes to what has it now, and is typed where that is a field. */
function pressAgain(event: KeyboardEvent, pressed: Element): boolean {
  const target = (pressed === document.body && document.activeElement) || pressed;
  const isDone = !doAgain(target, new KeyboardEvent(event.type, event));
  // Shift, Tab and the like are not waited for.
  if (isDone || event.key.length > 1) return true;
  if (!isTextField(target)) return false;
  typeAgain(target, target.value + event.key);
  return true;
}

/** React tells of a change only where the text differs from the one that it knows of. */
function typeAgain(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const { selectionStart, selectionEnd } = field.value === value ? field : { selectionStart: null, selectionEnd: null };
  field.value = "";
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  // React notes what is set on the element itself, not what is set by the browser.
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd);
  doAgain(field, new InputEvent("input", { bubbles: true }));
}

function doAgain(target: Element, event: Event): boolean {
  window.errandEarlyEvents.repeated.add(event);
  return target.dispatchEvent(event);
}

function isTextField(target: Element): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

if (typeof window !== "undefined") {
  // React makes a page that is not there in the browser, where scripts of the head do not run: nothing was kept then.
  window.errandEarlyEvents ??= { kept: new Map(), onTouch: new WeakMap(), repeated: new WeakSet(), hasReact: true };
}
