import { expect, type Locator, type Page } from "@playwright/test";

/** More stops than any page of the journeys has between two of its controls. */
const stopsMax = 60;

/**
 * Presses Tab, or Shift+Tab, until the control has the focus, as a person without a mouse does. Unlike `locator.focus` and
 * `locator.press`, it moves the focus by the keyboard alone: if the control cannot be reached, it fails with the stops it made.
 */
export async function tabTo(page: Page, control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(control).toBeVisible();
  const stops: string[] = [];
  do {
    if (stops.length === stopsMax) throw new Error(`${control} is not reached by ${key}:\n${stops.join("\n")}`);
    await page.keyboard.press(key);
    stops.push(await focused(page));
  } while (!(await hasFocus(control)));
  // A tab loses its lowest pixel to the line below it.
  await expect(control, "what has the focus can be seen").toBeInViewport({ ratio: 0.9 });
}

/** Expects the focus on a part of the page or on a control in it, soon. */
export async function expectFocusIn(part: Locator): Promise<void> {
  await expect.poll(() => part.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluateAll((found) => found.some((element) => element === document.activeElement));
}

/** The element that has the focus, in words. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return "the page itself";
    const words = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return `${element.getAttribute("role") ?? element.tagName.toLowerCase()} ${words.trim().slice(0, 60)}`;
  });
}
