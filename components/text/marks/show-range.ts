/** Room in px that a place must have above and below it to count as seen: the search's bar covers a part of the view. */
const roomAbove = 88;
const roomBelow = 48;

/** Whether a place can be read without scrolling `scroller`. */
export function isInView(range: Range, scroller: Element): boolean {
  const { top, bottom } = range.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return top >= view.top + roomAbove && bottom <= view.bottom - roomBelow;
}

/** Scrolls what scrolls sideways around a place, inside its card, so that the place is in view. */
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
