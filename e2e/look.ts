import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** A color scheme and a window size, in CSS pixels. */
export type View = { colorScheme: "light" | "dark"; width: number; height: number };

export const wide: View = { colorScheme: "light", width: 1440, height: 900 };
export const narrow: View = { colorScheme: "dark", width: 375, height: 812 };

/** Shows the page in a view, without motion, and waits until colours and layout are stable. */
export async function showIn(page: Page, { colorScheme, width, height }: View): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height });
  // The page changes its colours a moment after the browser's event.
  await expect(page.locator("html")).toHaveClass(colorScheme === "dark" ? /\bdark\b/ : /^(?!.*\bdark\b)/);
  // Cards that appear with another width fade in after that: two frames in a row must have no animation.
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
 * Findings of axe, in words; the pages have no frames. `rules`: only the contrast rule, or all others. `part`: only in this CSS
 * selector.
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
  // Only violations are described in full.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], ...chosen });
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations
    .filter(({ impact }) => !seriousOnly || impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** Number of pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
