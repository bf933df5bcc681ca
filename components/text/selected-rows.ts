import { type RefObject, useEffect, useState } from "react";

/** Rows that may be selected although they are not rendered: `read` returns their text. */
type Rows = { read: () => string; hold: (isHeld: boolean) => void };

/** By the element that contains them, or that stays in their place. */
const known = new Map<Element, Rows>();
let held: readonly Element[] = [];

/**
 * Makes rows that are rendered only near the view behave like any text in a selection: those with one of its ends stay rendered, and
 * a copy has the text of all. Returns whether they must stay.
 */
export function useSelectedRows(element: RefObject<Element | null>, read: () => string): boolean {
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    const at = element.current;
    if (at === null) return;
    listen();
    known.set(at, { read, hold });
    return () => {
      known.delete(at);
    };
  }, [element, read]);
  return isHeld;
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  document.addEventListener("selectionchange", holdEnds);
  document.addEventListener("copy", copyAll);
  document.addEventListener("keydown", selectPart);
}

/** Rows with an end of the selection must not be removed: the browser would move the end. */
function holdEnds(): void {
  const selection = document.getSelection();
  // Also where somebody has only clicked: a click with Shift further down begins there.
  const ends = selection === null ? [] : [selection.anchorNode, selection.focusNode];
  const now = ends.flatMap((end) => rowsAround(end) ?? []);
  for (const element of held) if (!now.includes(element)) known.get(element)?.hold(false);
  for (const element of now) known.get(element)?.hold(true);
  held = now;
}

function rowsAround(node: Node | null): Element | null {
  return elementOf(node)?.closest("[data-rows]") ?? null;
}

function elementOf(node: Node | null): Element | null {
  return node instanceof Element ? node : (node?.parentElement ?? null);
}

/** Puts the text of rows that are not rendered in their places while the selection is read. */
function copyAll(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || event.defaultPrevented) return;
  const filled: Element[] = [];
  for (const [element, { read }] of known) {
    if (element.childElementCount > 0 || !selection.containsNode(element, true)) continue;
    const text = document.createElement("div");
    text.style.whiteSpace = "pre";
    text.textContent = read();
    element.append(text);
    filled.push(text);
  }
  if (filled.length === 0) return;
  const text = selection.toString();
  for (const element of filled) element.remove();
  event.clipboardData?.setData("text/plain", text);
  event.preventDefault();
}

const editable = "input, textarea, select, [contenteditable]";

/** Ctrl+A and ⌘A in an output, a file or a diff take that, not the whole page. */
function selectPart(event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "a") return;
  const selection = document.getSelection();
  const target = event.target instanceof Element ? event.target : null;
  if (selection === null || event.defaultPrevented || target?.closest(editable)) return;
  const part = target?.closest("[data-selectable]") ?? elementOf(selection.anchorNode)?.closest("[data-selectable]");
  if (part == null || !part.isConnected) return;
  selection.selectAllChildren(part);
  event.preventDefault();
}
