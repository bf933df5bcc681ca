import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** How a page is looked at; sizes in CSS pixels. */
export type View = { colorScheme: "light" | "dark"; width: number; height: number };

export const wide: View = { colorScheme: "light", width: 1440, height: 900 };
export const narrow: View = { colorScheme: "dark", width: 375, height: 812 };

/** Shows the page in a view, without motion, and waits until its colours and its layout rest. */
export async function showIn(page: Page, { colorScheme, width, height }: View): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height });
  // The page changes its colours a moment after the browser has told it to.
  await expect(page.locator("html")).toHaveClass(colorScheme === "dark" ? /\bdark\b/ : /^(?!.*\bdark\b)/);
  // Cards that come with another width fade in after that: two frames in a row must have nothing that passes.
  await page.waitForFunction(async () => {
    for (let frame = 0; frame < 2; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const isPassing = ({ effect, playState }: Animation) =>
        playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
      if (document.getAnimations().some(isPassing)) return false;
    }
    return true;
  });
}

/**
 * What axe finds, in words; the pages have no frames. With `rules` only by the rule of contrast, or by all others; with
 * `part`, a CSS selector, only there.
 */
export async function findings(
  page: Page,
  {
    seriousOnly = false,
    part,
    rules = "all",
  }: { seriousOnly?: boolean; part?: string; rules?: "all" | "contrast" | "others" } = {},
): Promise<string[]> {
  const contrast = "color-contrast";
  const chosen = {
    all: {},
    contrast: { runOnly: [contrast] },
    others: { rules: { [contrast]: { enabled: false } } },
  }[rules];
  // What it finds in order need not be described.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], ...chosen });
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations
    .filter(({ impact }) => !seriousOnly || impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** By how many pixels the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
