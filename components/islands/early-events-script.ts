/** An event that arrived before the script that handles it, and the value of its field at that time. */
export type EarlyEvent = { event: Event; value: string | null };

export type EarlyEvents = {
  /** Keyed by the event's island, by the body outside islands, or by the root element for keys that act on the page. */
  kept: Map<Element, EarlyEvent[]>;
  /** Events dispatched again, which must not be kept a second time. */
  repeated: WeakSet<Event>;
  /** Keys dispatched again that nothing has handled yet, and those behind them. */
  waiting: EarlyEvent[];
  /** True once React has hydrated the page: from then on only islands can lack their script. */
  hasReact: boolean;
};

declare global {
  interface Window {
    errandEarlyEvents: EarlyEvents;
  }
}

/** Keeps clicks, keys and text until the script that handles them is loaded. It is put into the head as text: it imports nothing. */
function keepEarlyEvents(): void {
  const fields = "input, textarea, select";
  const elementKeys = /^(Enter| |Escape|Home|End|PageUp|PageDown|Arrow(Up|Down|Left|Right))$/;
  const early: EarlyEvents = { kept: new Map(), repeated: new WeakSet(), waiting: [], hasReact: false };
  window.errandEarlyEvents = early;

  /** Whom the key is for: the focused element's island, or the page; null for typed text and keys of the browser (a first Space). */
  const ownerOfKey = (event: KeyboardEvent, target: Element, owner: Element): Element | null => {
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (target.closest(fields) !== null && !(isCommand && event.key === "Enter")) return null;
    if (target !== document.body && elementKeys.test(event.key)) return owner;
    return (isCommand ? !early.hasReact : event.key === " " && early.kept.size === 0) ? null : document.documentElement;
  };
  /** False for text fields and for links to other pages, which the browser handles without scripts. */
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
    // Without its script, a form would reload the page and lose what was typed. With its script, it prevents this itself.
    if (type === "submit" && !target.hasAttribute("action")) event.preventDefault();
    if (type === "submit" || early.repeated.has(event)) return;
    // Whoever presses something now acts on what is on the page.
    if (type === "keydown" || type === "pointerdown") early.waiting.length = 0;
    const island = target.closest("[data-island]");
    if (island === null && early.hasReact) return;
    island?.dispatchEvent(new Event("turned-to"));
    let owner: Element | null = island ?? document.body;
    if (type === "focusin") return;
    if (event instanceof KeyboardEvent) owner = ownerOfKey(event, target, owner);
    else if (event instanceof MouseEvent && !needsScript(event, target)) owner = null;
    if (owner === null) return;
    event.stopPropagation();
    if (owner === document.documentElement && early.hasReact && event instanceof KeyboardEvent) {
      // The page already listens, but React would hold back keys from an island that it has not hydrated.
      if (!document.body.dispatchEvent(new KeyboardEvent(type, event))) event.preventDefault();
      return;
    }
    // A menu that opens on press takes the focus; it would close if the browser then moved the focus to the button.
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
