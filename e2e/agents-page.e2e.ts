import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { findings, narrow, overflow, showIn, wide } from "./look.ts";
import { expect, test } from "./test.ts";

/** The page as a designer looks at it: no serious findings, no wider than its window, wide and light, narrow and dark. */
async function look(page: Page, name: string): Promise<void> {
  for (const view of [wide, narrow]) {
    await showIn(page, view);
    expect(await findings(page, { seriousOnly: true }), `${name} at ${view.width} px`).toEqual([]);
    expect(await overflow(page), `${name} is wider than ${view.width} px`).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `test-results/agents-${name}-${view.width}.png`, fullPage: true });
  }
  await showIn(page, wide);
}

test("each agent is told with what it is and what it lacks; a test of one is a run that is linked", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  await page.goto(`${product.url}/settings/agents`);
  const steps = page.getByRole("listitem", { name: "Built-in steps (no model)" });
  await expect(steps.getByText("Ready", { exact: true })).toBeVisible();
  const { items } = (await api.ask("GET", "/agents")).body as {
    items: { title: string; state: string; install: string }[];
  };
  for (const { title, install } of items.filter(({ state }) => state === "not_installed")) {
    const item = page.getByRole("listitem", { name: title });
    await expect(item.getByText("Not installed", { exact: true })).toBeVisible();
    await expect(item.getByText(install, { exact: true })).toBeVisible();
    await expect(item.getByRole("button", { name: "Test" })).toHaveCount(0);
  }
  await look(page, "list");
  await steps.getByRole("button", { name: "Test" }).click();
  await expect(steps.getByText("Completed")).toBeVisible({ timeout: 60_000 });
  await steps.getByRole("link", { name: /^Run \d+$/ }).click();
  await expect(page).toHaveURL(/\/runs\/\d+$/);
});
