import type { Locator } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("an address without a page keeps the navigation of whoever is signed in", async ({ signedIn: page, product }) => {
  const response = await page.goto(`${product.url}/nowhere/at/all`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "No such page" })).toBeVisible();
  await expect(page.getByText("There is no page at this address.")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" }).first()).toBeVisible();
});

test("the reason why a run was not started is where the eye is, at any width", async ({ signedIn: page, product }) => {
  await ApiClient.create(product);
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(`${product.url}/runs/new`);
    await page.route("**/agent/run", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 429,
            contentType: "application/problem+json",
            body: JSON.stringify({
              status: 429,
              code: "queue_full",
              title: "Queue full",
              detail: "The queue is full.",
            }),
          })
        : route.continue(),
    );
    await page.getByLabel("Prompt", { exact: false }).first().fill("```sh\ntrue\n```");
    await page.getByRole("button", { name: /^Start/ }).click();
    const alert = page.getByRole("alert").filter({ hasText: "The queue is full." });
    await expect(alert).toBeInViewport({ ratio: 1 });
    await page.unrouteAll();
  }
});

test("the help of the prompt is below its field, and stays there in the preview", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/runs/new`);
  const field = page.getByRole("textbox", { name: "Prompt" });
  await expect(field).toBeFocused();
  await field.fill("A prompt of **one** line");
  const help = page.getByText("Describe the task and how to verify it.");
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
  const [fieldTop, helpTop] = [await top(field), await top(help)];
  expect(helpTop).toBeGreaterThan(fieldTop);
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "Prompt preview" });
  await expect(preview.getByText("one", { exact: true })).toBeVisible();
  expect(Math.abs((await top(preview)) - fieldTop)).toBeLessThan(12);
  expect(Math.abs((await top(help)) - helpTop)).toBeLessThan(12);
  await page.getByRole("button", { name: "Write" }).click();
  expect([await top(field), await top(help)]).toEqual([fieldTop, helpTop]);
});
