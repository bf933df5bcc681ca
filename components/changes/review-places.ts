import type { ChosenLines } from "./choose-lines.tsx";

/** Between what was gone to and the edge of the view. */
const gapPx = 8;

/** Id of a file's element, by its place in the list. */
export function idOf(index: number): string {
  return `changed-file-${index + 1}`;
}

/** The place again. */
export function placeOfId(id: string): number {
  return Number(id.slice("changed-file-".length)) - 1;
}

/** Scrolls the list until the file is at its top; no more than the list: scrollIntoView would move what is around it as well. */
export function scrollToTop(scroller: HTMLElement, file: HTMLElement): void {
  scroller.scrollTop += file.getBoundingClientRect().top - scroller.getBoundingClientRect().top - gapPx;
}

/** Place of the file that the reader is at: the one with the focus, or the last whose top is not below the top of the view. */
export function placeInView(scroller: HTMLElement | null, count: number, fallback: number): number {
  if (scroller === null) return fallback;
  const focused = document.activeElement?.closest('[id^="changed-file-"]');
  if (focused != null && scroller.contains(focused)) return placeOfId(focused.id);
  const top = scroller.getBoundingClientRect().top + 12;
  let [low, high] = [0, count - 1];
  if ((document.getElementById(idOf(0))?.getBoundingClientRect().top ?? 0) > top) return -1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((document.getElementById(idOf(middle))?.getBoundingClientRect().top ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

type Chosen = { path: string; chosen: ChosenLines };

function lastChosen({ path, chosen }: Chosen): HTMLElement | null {
  const file = document.querySelector(`section[aria-label="${CSS.escape(path)}"]`);
  return file?.querySelector<HTMLElement>(`[data-line="${CSS.escape(chosen.head)}"]`) ?? null;
}

/** Back to where the lines were chosen. */
export function focusChosen(open: Chosen | null): void {
  if (open !== null) lastChosen(open)?.focus({ preventScroll: true });
}

/** Scrolls the list until the last chosen line is not below the view. */
export function showLine(scroller: HTMLElement | null, open: Chosen): void {
  const line = lastChosen(open)?.getBoundingClientRect();
  if (scroller === null || line === undefined) return;
  scroller.scrollTop += Math.max(0, line.bottom + gapPx - scroller.getBoundingClientRect().bottom);
}
