import type { EarlyEvents } from "./early-events-script.ts";

/** Marks an element whose program is not there yet: what was done to it is kept, and done again when the program is. */
export const laterAttribute = "data-later";

/** Keys that belong to the element that has the focus; others are the page's. */
const elementKeys = /^(Enter| |Escape|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right))$/;
const fields = "input, textarea, select";

/** What was done, and the text that a field had then. */
type Kept = { event: Event; value: string | null };

const kept = new WeakMap<Element, Kept[]>();
const wanted = new WeakMap<Element, () => void>();
/** What was done before any script had run: to what is not marked, and with the page's own keys. */
const keptOfPage: Kept[] = [];
const keptKeys: Kept[] = [];
/** The page that these keys were meant for. */
let keptOn = "";
/** What is done again by this module: it is not kept a second time. */
const again = new WeakSet<Event>();

/** Calls back when something is done to an element that is marked, or was done already. */
export function onEarlyEvent(element: Element, callback: () => void): () => void {
  wanted.set(element, callback);
  if (kept.has(element)) callback();
  return () => wanted.delete(element);
}

/** Does again, in order, what was done to an element before its program was there. */
export function repeatEarlyEvents(element: Element): void {
  const events = kept.get(element) ?? [];
  kept.delete(element);
  repeat(events);
}

/** Does again, in order, what was done to the page before any script had run, now that React has taken it over. */
export function repeatEarlyEventsOfPage(): void {
  repeat(keptOfPage.splice(0).filter(isOver));
}

/** Presses the page's own keys again that were pressed before any script had run, now that they are listened to. */
export function repeatEarlyKeys(): void {
  const keys = keptKeys.splice(0).filter(isOver);
  if (window.location.pathname !== keptOn) return;
  // One by one: each meets what the one before has changed.
  for (const key of keys) setTimeout(() => repeat([key]));
}

/**
 * False while an event is still on its way through the page. It may have made React take the page over (React hydrates in the
 * middle of an event that it needs to deliver): the event then reaches its handlers by itself, and must not be done twice.
 */
function isOver({ event }: Kept): boolean {
  return event.eventPhase === Event.NONE;
}

function repeat(events: readonly Kept[]): void {
  for (const { event, value } of events) {
    const { target, type } = event;
    if (!(target instanceof Element) || !target.isConnected) continue;
    if (value !== null && isTextField(target)) typeAgain(target, value);
    else if (event instanceof KeyboardEvent) pressAgain(event, target);
    else if (type === "click" && event instanceof MouseEvent) doAgain(target, new MouseEvent(type, event));
    else if (event instanceof PointerEvent) doAgain(target, new PointerEvent(type, event));
  }
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
  again.add(event);
  return target.dispatchEvent(event);
}

function takeOver({ events, stop }: EarlyEvents): void {
  stop();
  keptOn = window.location.pathname;
  for (const event of events) {
    const element = event.target instanceof Element ? markedAround(event.target) : null;
    const isOfPage = event.target === document.body || (event instanceof KeyboardEvent && !elementKeys.test(event.key));
    if (event instanceof KeyboardEvent && isOfPage) keptKeys.push(keptOf(event));
    else if (element === null) keptOfPage.push(keptOf(event));
    else keep(event, element);
  }
}

function take(event: Event): void {
  const target = event.target instanceof Element ? event.target : null;
  const element = target === null ? null : markedAround(target);
  // What is done again comes through here too; what a key of the page presses is kept like what the mouse does.
  if (target === null || element === null || again.has(event)) return;
  wanted.get(element)?.();
  if (event.type === "focusin") return;
  if (event.type === "submit") event.preventDefault();
  else if (event.type === "input") keep(event, element);
  else if (event instanceof KeyboardEvent) takeKey(event, target, element);
  else if (target.closest(`${fields}, summary`) === null && !leadsAway(event, target)) keep(event, element);
}

function markedAround(target: Element): Element | null {
  return target.closest(`[${laterAttribute}]`);
}

function takeKey(event: KeyboardEvent, target: Element, element: Element): void {
  const isCommand = event.ctrlKey || event.metaKey;
  if (target.closest(fields) !== null && !isCommand) return;
  if (elementKeys.test(event.key)) {
    keep(event, element);
    return;
  }
  // React stops what reaches a part that it has not taken over, and the page's own keys work everywhere.
  event.stopPropagation();
  if (!document.body.dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault();
}

/** From here on nobody else hears of it: it is done once, when the program is there. */
function keep(event: Event, element: Element): void {
  event.stopPropagation();
  if (event.type === "click" && event.target instanceof Element && event.target.closest("a[href]") !== null) {
    event.preventDefault();
  }
  kept.set(element, [...(kept.get(element) ?? []), keptOf(event)]);
}

function keptOf(event: Event): Kept {
  const { type, target } = event;
  return { event, value: type === "input" && isTextField(target) ? target.value : null };
}

function isTextField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** A link to another page, or one that is opened beside this one: the browser follows it without any program. */
function leadsAway(event: Event, target: Element): boolean {
  const link = target.closest<HTMLAnchorElement>("a[href]");
  if (link === null) return false;
  if (event instanceof MouseEvent && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return true;
  const { origin, pathname } = window.location;
  return link.origin !== origin || link.pathname !== pathname || link.hasAttribute("download");
}

// Before React's own listeners, which stop what reaches a part that is not taken over.
if (typeof window !== "undefined") {
  if (window.errandEarlyEvents !== undefined) takeOver(window.errandEarlyEvents);
  for (const type of ["pointerdown", "click", "keydown", "input", "submit", "focusin"]) {
    window.addEventListener(type, take, { capture: true });
  }
}
