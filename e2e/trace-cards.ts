import type { Page } from "@playwright/test";

/** The card of an entry. */
export function cardOf(page: Page, seq: number) {
  return page.locator(`article[data-seq="${seq}"][tabindex]`);
}

/** The place, from 1, of the card that has or contains the focus. */
export function focusedPlace(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const place = document.activeElement?.closest("[aria-posinset]")?.getAttribute("aria-posinset");
    return place === null || place === undefined ? null : Number(place);
  });
}
