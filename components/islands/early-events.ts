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
  for (const early of events) {
    // One by one: each key of the page meets what the one before has changed.
    if (owner === document.documentElement) setTimeout(repeat, 0, early);
    else repeat(early);
  }
}

function repeat({ event, value }: EarlyEvent): void {
  const { target, type } = event;
  if (!(target instanceof Element) || !target.isConnected) return;
  // The press was kept from moving the focus (early-events-script.ts).
  if (type === "pointerdown" && document.activeElement === document.body) target.closest("button")?.focus();
  if (value !== null && isTextField(target)) typeAgain(target, value);
  else if (event instanceof KeyboardEvent) pressAgain(event, target);
  else if (event instanceof PointerEvent) doAgain(target, new PointerEvent(type, event));
  else if (event instanceof MouseEvent) doAgain(target, new MouseEvent(type, event));
}

/** A key that was pressed where nothing had the focus goes to what has it now, and is typed where that is a field. */
function pressAgain(event: KeyboardEvent, pressed: Element): void {
  const target = (pressed === document.body && document.activeElement) || pressed;
  const isDone = !doAgain(target, new KeyboardEvent(event.type, event));
  if (!isDone && event.key.length === 1 && isTextField(target)) typeAgain(target, target.value + event.key);
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
