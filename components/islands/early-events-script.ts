/** Something that was done before there was a script for it, and the text that a field had then. */
export type EarlyEvent = { event: Event; value: string | null };

export type EarlyEvents = {
  /** By the island that it was done to; by the body outside of islands; by the root element for the page's keys. */
  kept: Map<Element, EarlyEvent[]>;
  /** What an island wants to be called when something is done to it. */
  onTouch: WeakMap<Element, () => void>;
  /** What is done again: it is not kept a second time. */
  repeated: WeakSet<Event>;
  /** True once React has hydrated the page: from then on only islands are without a script. */
  hasReact: boolean;
};

declare global {
  interface Window {
    errandEarlyEvents: EarlyEvents;
  }
}

/** Keeps what is pressed and typed before its script is there. It runs in the head, as text, so it uses nothing from outside. */
function keepEarlyEvents(): void {
  const fields = "input, textarea, select";
  const elementKeys = /^(Enter| |Escape|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right))$/;
  const early: EarlyEvents = { kept: new Map(), onTouch: new WeakMap(), repeated: new WeakSet(), hasReact: false };
  window.errandEarlyEvents = early;

  /** To whom a key belongs: the element that has the focus, or the page; null for the browser's own and for text. */
  const ownerOfKey = (event: KeyboardEvent, target: Element, owner: Element): Element | null => {
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (target.closest(fields) !== null && !(isCommand && event.key === "Enter")) return null;
    if (target !== document.body && elementKeys.test(event.key)) return owner;
    return isCommand && !early.hasReact ? null : document.documentElement;
  };
  /** False for text, and for a link to another page: the browser needs no script for them. */
  const needsScript = (event: MouseEvent, target: Element): boolean => {
    if (target.closest(`${fields}, summary`) !== null) return false;
    const link = target.closest<HTMLAnchorElement>("a[href]");
    if (link === null) return true;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.hasAttribute("download")) return false;
    return link.origin === location.origin && link.pathname === location.pathname;
  };
  const take = (event: Event) => {
    const { target, type } = event;
    if (!(target instanceof Element)) return;
    // A form without a script for it would load the page anew, without what was typed; one with a script prevents this itself.
    if (type === "submit" && !target.hasAttribute("action")) event.preventDefault();
    if (type === "submit" || early.repeated.has(event)) return;
    const island = target.closest("[data-island]");
    if (island === null && early.hasReact) return;
    if (island !== null) early.onTouch.get(island)?.();
    let owner: Element | null = island ?? document.body;
    if (type === "focusin") return;
    if (event instanceof KeyboardEvent) owner = ownerOfKey(event, target, owner);
    else if (event instanceof MouseEvent && !needsScript(event, target)) owner = null;
    if (owner === null) return;
    event.stopPropagation();
    if (owner === document.documentElement && early.hasReact && event instanceof KeyboardEvent) {
      // The page listens already, but React would let no key out of an island that it does not have yet.
      if (!document.body.dispatchEvent(new KeyboardEvent(type, event))) event.preventDefault();
      return;
    }
    // A menu that opens while its button is still pressed has the focus, and would close if the press took it away.
    const movesFocus = type === "pointerdown" && target.closest("button") !== null;
    if (movesFocus || (type === "click" && target.closest("a[href]") !== null)) event.preventDefault();
    const value = type === "input" && "value" in target ? String(target.value) : null;
    early.kept.set(owner, [...(early.kept.get(owner) ?? []), { event, value }]);
  };
  for (const type of ["pointerdown", "click", "keydown", "input", "submit", "focusin"]) {
    window.addEventListener(type, take, { capture: true });
  }
}

/** For the head of every page. */
export const earlyEventsScript = `(${keepEarlyEvents})();`;
