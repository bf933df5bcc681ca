/** What was done to the page before it listened. */
export type EarlyEvents = { events: Event[]; stop: () => void };

declare global {
  interface Window {
    /** Set by the script in the head; early-events.ts takes it over. */
    errandEarlyEvents?: EarlyEvents;
  }
}

/**
 * Keeps what is pressed and typed before any script of the page has run, which on a slow line is seconds after the page can be
 * read. For the head. Links and the browser's own commands need no script and are left alone; a form that only a script can send
 * is not sent.
 */
export const earlyEventsScript = `(() => {
  const types = ["pointerdown", "click", "keydown", "input", "submit"];
  const events = [];
  const keep = (event) => {
    const { type, target, key } = event;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    const isSent = isCommand && type === "keydown" && key === "Enter";
    if (type === "submit") target.hasAttribute("action") || event.preventDefault();
    else if (type === "input" || isSent) events.push(event);
    else if (!isCommand && !target.closest?.("a[href], input, textarea, select, summary")) events.push(event);
  };
  for (const type of types) addEventListener(type, keep, true);
  window.errandEarlyEvents = {
    events,
    stop: () => { for (const type of types) removeEventListener(type, keep, true); },
  };
})();`;
