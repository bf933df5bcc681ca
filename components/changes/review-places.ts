import type { ChosenLines } from "./choose-lines.tsx";

/** Gap between the target of a jump and the edge of the view. */
const gapPx = 8;

/** Id of a file's element, by its index in the list. */
export function idOf(index: number): string {
  return `changed-file-${index + 1}`;
}

/** Number of files whose places are created together. */
export const groupSize = 50;

/** The group of the file at this index. */
export function groupOf(index: number): number {
  return Math.floor(index / groupSize);
}

/** Id of a group's element, by its index. */
export function groupIdOf(group: number): string {
  return `changed-files-${group + 1}`;
}

/** The index of the file or group with this id. */
export function placeOfId(id: string): number {
  return Number(id.slice(id.lastIndexOf("-") + 1)) - 1;
}

/** Scrolls the list until the file is at the top. Unlike scrollIntoView, it scrolls nothing but the list. */
export function scrollToTop(scroller: HTMLElement, file: HTMLElement): void {
  scroller.scrollTop += file.getBoundingClientRect().top - scroller.getBoundingClientRect().top - gapPx;
}

/** Index of the file being read: the focused one, or else the last one that begins at or above the top of the view. */
export function placeInView(scroller: HTMLElement | null, fallback: number): number {
  if (scroller === null) return fallback;
  const places = '[id^="changed-file-"]';
  const focused = document.activeElement?.closest(places);
  if (focused != null && scroller.contains(focused)) return placeOfId(focused.id);
  const top = scroller.getBoundingClientRect().top + 12;
  let found = -1;
  for (const file of scroller.querySelectorAll(places)) {
    if (file.getBoundingClientRect().top > top) break;
    found = placeOfId(file.id);
  }
  return found;
}

type Chosen = { path: string; chosen: ChosenLines };

function lastChosen({ path, chosen }: Chosen): HTMLElement | null {
  const file = document.querySelector(`section[aria-label="${CSS.escape(path)}"]`);
  return file?.querySelector<HTMLElement>(`[data-line="${CSS.escape(chosen.head)}"]`) ?? null;
}

/** Returns the focus to where the lines were chosen. */
export function focusChosen(open: Chosen | null): void {
  if (open !== null) lastChosen(open)?.focus({ preventScroll: true });
}

/** Scrolls the list until the last chosen line is no longer below the view. */
export function showLine(scroller: HTMLElement | null, open: Chosen): void {
  const line = lastChosen(open)?.getBoundingClientRect();
  if (scroller === null || line === undefined) return;
  scroller.scrollTop += Math.max(0, line.bottom + gapPx - scroller.getBoundingClientRect().bottom);
}
