import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("a click beside the dialog does not lose a link that is not shown again", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Share me", agent: "external" });
  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create link" }).click();
  const ready = page.getByRole("dialog", { name: "The link is ready" });
  await expect(ready).toBeVisible();
  await page.mouse.click(5, 5);
  await page.mouse.click(5, 5);
  await expect(ready.locator("code")).toContainText("/share/");
  await page.keyboard.press("Escape");
  await expect(ready).toHaveCount(0);
});
