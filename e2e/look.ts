import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { countOf } from "#lib/test-counts.fixture.ts";

/** A color scheme and a window size, in CSS pixels. */
export type View = { colorScheme: "light" | "dark"; width: number; height: number };

export const wide: View = { colorScheme: "light", width: 1440, height: 900 };
export const narrow: View = { colorScheme: "dark", width: 375, height: 812 };

const takesPictures = countOf({ short: 0, long: 1 }) === 1;

/** Shows the page in a view, without motion, and waits until colors and layout are stable. */
export async function showIn(page: Page, { colorScheme, width, height }: View): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height });
  // The page changes its colors a moment after the browser's event.
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
 * Findings of axe, in words; the pages have no frames. `rules`: only the contrast rule, or all others. `without`: rules that do not
 * apply to this state of the page. `part`: only in this CSS selector.
 */
export async function findings(
  page: Page,
  {
    seriousOnly = false,
    part,
    rules = "all",
    without = [],
  }: { seriousOnly?: boolean; part?: string; rules?: "all" | "contrast" | "others"; without?: readonly string[] } = {},
): Promise<string[]> {
  const contrast = "color-contrast";
  const chosen = {
    all: { rules: off(without) },
    contrast: { runOnly: [contrast] },
    others: { rules: off([contrast, ...without]) },
  }[rules];
  // Only violations are described in full. Axe is 0.6 MB of script, which the builder transfers twice: a page that already has it
  // does not get it again.
  const given = (await page.evaluate(() => "axe" in window)) ? { axeSource: ";" } : {};
  const axe = new AxeBuilder({ page, ...given }).setLegacyMode().options({ resultTypes: ["violations"], ...chosen });
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations
    .filter(({ impact }) => !seriousOnly || impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

function off(rules: readonly string[]): Record<string, { enabled: boolean }> {
  return Object.fromEntries(rules.map((rule) => [rule, { enabled: false }]));
}

/**
 * Checks a page both wide and light, and narrow and dark: axe finds nothing, and the page is no wider than its window. Leaves it
 * wide and light. `npm run test:long` takes screenshots of it.
 */
export async function inspect(
  page: Page,
  name: string,
  options: { seriousOnly?: boolean; without?: readonly string[] } = {},
): Promise<void> {
  for (const view of [wide, narrow]) {
    await showIn(page, view);
    expect(await findings(page, options), `${name} at ${view.width} px`).toEqual([]);
    expect(await overflow(page), `${name} is wider than ${view.width} px`).toBeLessThanOrEqual(0);
    if (takesPictures) await page.screenshot({ path: `test-results/looks/${name} ${view.width}.png`, fullPage: true });
  }
  await showIn(page, wide);
}

/**
 * Number of pixels by which the page is wider than its window. A phone zooms out of a page that is too wide, and `innerWidth` grows
 * with it; `clientWidth` does not.
 */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
