/** Marks an element whose program is not there yet: what was done to it is kept, and done again when the program is. */
export const laterAttribute = "data-later";

/** Keys that belong to the element that has the focus; others are the page's. */
const elementKeys = /^(Enter| |Escape|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right))$/;
const fields = "input, textarea, select";

const kept = new WeakMap<Element, Event[]>();
const wanted = new WeakMap<Element, () => void>();

/** Calls back when something is done to an element that is marked. */
export function onEarlyEvent(element: Element, callback: () => void): () => void {
  wanted.set(element, callback);
  return () => wanted.delete(element);
}

/** Does again, in order, what was done to an element before its program was there. */
export function repeatEarlyEvents(element: Element): void {
  const events = kept.get(element) ?? [];
  kept.delete(element);
  for (const event of events) {
    const { target, type } = event;
    if (!(target instanceof Element) || !target.isConnected) continue;
    if (event instanceof KeyboardEvent) target.dispatchEvent(new KeyboardEvent(type, event));
    else if (type === "click" && event instanceof MouseEvent) target.dispatchEvent(new MouseEvent(type, event));
    else if (event instanceof PointerEvent) target.dispatchEvent(new PointerEvent(type, event));
  }
}

function take(event: Event): void {
  const target = event.target instanceof Element ? event.target : null;
  const element = target?.closest(`[${laterAttribute}]`) ?? null;
  // What is done again comes through here too.
  if (target === null || element === null || !event.isTrusted) return;
  wanted.get(element)?.();
  if (event.type === "focusin") return;
  if (event.type === "submit") event.preventDefault();
  else if (event instanceof KeyboardEvent) takeKey(event, target, element);
  else if (target.closest(`${fields}, summary`) === null && !leadsAway(event, target)) keep(event, element);
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
  kept.set(element, [...(kept.get(element) ?? []), event]);
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
  for (const type of ["pointerdown", "click", "keydown", "submit", "focusin"]) {
    window.addEventListener(type, take, { capture: true });
  }
}
