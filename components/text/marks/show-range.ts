/** Minimum distance in px of a visible place from the top and bottom of the view: the search bar covers part of it. */
const roomAbove = 88;
const roomBelow = 48;

/** Whether a place can be seen without scrolling `scroller`. */
export function isInView(range: Range, scroller: Element): boolean {
  const { top, bottom } = range.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return top >= view.top + roomAbove && bottom <= view.bottom - roomBelow;
}

/** Scrolls the sideways-scrolling elements around a place, within its card, until the place is in view. */
export function showSideways(range: Range): void {
  const element = range.startContainer.parentElement;
  for (let around = element; around !== null && around.tagName !== "ARTICLE"; around = around.parentElement) {
    if (around.scrollWidth <= around.clientWidth + 1 || getComputedStyle(around).overflowX !== "auto") continue;
    const place = range.getBoundingClientRect();
    const view = around.getBoundingClientRect();
    if (place.left < view.left || place.right > view.right) {
      around.scrollLeft += place.left - view.left - around.clientWidth / 3;
    }
  }
}
