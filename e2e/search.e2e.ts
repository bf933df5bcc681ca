import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("words are found across runs while typing, and results lead to their steps", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const reported = async (prompt: string, thoughts: string[], status: string) => {
    const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
    const entries = thoughts.map((thought) => ({ message_type: "PLAN_EVALUATION", thought }));
    expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
    await api.ask("PATCH", `/agent/run/${run.id}`, { status, result: "done" });
    return Number(run.id);
  };
  const first = await reported("Mend the pangolin", ["nothing", "The pangolins sleep in the Burrow"], "completed");
  await reported("Other work", ["a burrow without anybody"], "completed");
  const failed = await reported(
    "Break it",
    [...Array(7)].map((_, at) => `burrow ${at} of one pangolin`),
    "failed",
  );

  await page.goto(`${product.url}/runs`);
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Search" }).click();
  const field = page.getByRole("searchbox", { name: "Search in all runs" });
  await expect(field).toBeFocused();
  // Slow enough to search between the letters: an answer must not swallow any of them.
  await page.keyboard.type("burrow pangol", { delay: 220 });
  const results = page.getByRole("list", { name: "Search results" });
  // Newest first; words may be in any order and longer than typed.
  await expect(results.getByRole("list")).toHaveCount(2);
  await expect(results.locator("mark").first()).toBeVisible();
  await expect(results.getByRole("list").first()).toHaveAccessibleName(`Steps of run ${failed}`);
  expect(await results.locator("mark").allInnerTexts()).toContain("Burrow");
  await expect(page).toHaveURL(/q=burrow\+pangol$/);
  await expect(field).toHaveValue("burrow pangol");

  await page.reload();
  await expect(results.getByRole("list")).toHaveCount(2);
  // The steps that are not listed are a link, too.
  await results.getByRole("link", { name: /^\d more steps?$/ }).click();
  await page.waitForURL(new RegExp(`/runs/${failed}\\?.*find=`));
  await expect(page.getByText("/ 7", { exact: false }).first()).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Any status" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Completed" }).click();
  await page.keyboard.press("Escape");
  await expect(results.getByRole("list")).toHaveCount(1);
  await expect(page).toHaveURL(/status=completed/);

  await page.getByRole("heading", { name: "Search" }).click();
  await page.keyboard.press("j");
  await expect(results.locator("[data-result]").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/runs/${first}\\?entry=2&find=`));
  await expect(page.locator('article[data-seq="2"][tabindex]')).toBeVisible();
  await expect(page.getByText("1 / 1", { exact: true })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => [...(CSS.highlights.get("find-current")?.keys() ?? [])].map(String)))
    .toHaveLength(1);

  await page.goBack();
  await field.fill("pangolin nowhere");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await page.setViewportSize({ width: 375, height: 700 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(375);
});
