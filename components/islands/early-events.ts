import type { EarlyEvent } from "./early-events-script.ts";

/** Dispatches the kept events of an island, of the body, or of the page's keys (the root element) again, in order. */
export function repeatEarlyEvents(owner: Element): void {
  const { kept } = window.errandEarlyEvents;
  const events = kept.get(owner);
  if (events === undefined) return;
  kept.delete(owner);
  if (owner !== document.documentElement) for (const early of events) repeat(early);
  else setTimeout(() => repeatKeys(events, performance.now() + takenWithinMs));
}

/** Whether something pressed in this element is kept until its script is there. */
export function hasEarlyEvents(element: Element): boolean {
  const events = [...window.errandEarlyEvents.kept.values()].flat();
  return events.some(({ event: { target } }) => target instanceof Node && element.contains(target));
}

/** How long a key of the page waits for a handler, and the interval between attempts, in ms. */
const takenWithinMs = 10_000;
const triedEveryMs = 50;

/**
 * Dispatches keys one by one, so that each sees the effect of the previous one. On a busy machine the handler of a key may be
 * added long after the first listener: an unhandled key is tried again, and those behind it wait until it is given up, or until
 * the reader presses something else.
 */
function repeatKeys(keys: EarlyEvent[], until: number): void {
  const [first] = keys;
  if (first === undefined) return;
  const waits = !repeat(first) && performance.now() < until;
  if (!waits) keys.shift();
  window.errandEarlyEvents.waiting = waits ? keys : [];
  setTimeout(() => repeatKeys(keys, until), waits ? triedEveryMs : 0);
}

/** False for a key that nothing has handled. */
function repeat({ event, value }: EarlyEvent): boolean {
  const { target, type } = event;
  if (!(target instanceof Element) || !target.isConnected) return true;
  // The original press was not allowed to move the focus (early-events-script.ts).
  if (type === "pointerdown" && document.activeElement === document.body) target.closest("button")?.focus();
  if (value !== null && isTextField(target)) typeAgain(target, value);
  else if (event instanceof KeyboardEvent) return pressAgain(event, target);
  else if (event instanceof PointerEvent) doAgain(target, new PointerEvent(type, event));
  else if (event instanceof MouseEvent) doAgain(target, new MouseEvent(type, event));
  return true;
}

/** Sends a key to the focused element if nothing had the focus when it was pressed. In a text field, its letter is typed. */
function pressAgain(event: KeyboardEvent, pressed: Element): boolean {
  const target = (pressed === document.body && document.activeElement) || pressed;
  const isDone = !doAgain(target, new KeyboardEvent(event.type, event));
  // Shift, Tab and the like are not tried again.
  if (isDone || event.key.length > 1) return true;
  if (!isTextField(target)) return false;
  typeAgain(target, target.value + event.key);
  return true;
}

/** Types a value into a field. React reports a change only if the value differs from the last one it knows of. */
function typeAgain(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const { selectionStart, selectionEnd } = field.value === value ? field : { selectionStart: null, selectionEnd: null };
  field.value = "";
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  // React records values set on the element itself, but not those set through the prototype.
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
  // React renders a page that does not exist in the browser, where scripts of the head do not run: no events were kept.
  window.errandEarlyEvents ??= { kept: new Map(), repeated: new WeakSet(), waiting: [], hasReact: true };
}
