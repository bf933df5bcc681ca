import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import type { Product } from "./product.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

/** Adds a repository with this name, from a folder with the words of "No repository" in its path. Returns its full name and id. */
async function addRepository(product: Product, name: string): Promise<{ id: number; full_name: string }> {
  const folder = makeRepository(undefined, "errand repo with notes ");
  execFileSync("git", ["branch", "feature/zebra"], { cwd: folder });
  const api = await ApiClient.create(product);
  const { status, body } = await api.ask("POST", "/repos", { source: folder, name });
  expect(status).toBe(200);
  return { id: Number(body.id), full_name: String(body.full_name) };
}

/** Opens a picker by name, types and presses Enter at once. */
async function pick(page: Page, name: string, text: string): Promise<void> {
  // A page just loaded may not listen yet.
  await expect(async () => {
    if (await page.getByRole("listbox").isHidden()) {
      await page.getByRole("combobox", { name, exact: true }).press("Enter");
    }
    await expect(page.getByRole("listbox")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listbox")).toHaveCount(0);
}

test("in every picker, typing and Enter takes the first real match", async ({ signedIn: page, product }) => {
  const [alpha, zeta] = [await addRepository(product, "alpha"), await addRepository(product, "zeta")];
  await page.goto(`${product.url}/runs/new`);
  await expect(page.getByLabel("Prompt")).toBeFocused();
  const repository = page.getByRole("combobox", { name: "Repository" });
  await expect(repository).not.toContainText("No repository");
  await expect(page.getByRole("button", { name: "Start run" })).toBeVisible();

  await pick(page, "Repository", "zeta");
  await expect(repository).toHaveText(zeta.full_name);
  // The list is complete again, with "No repository" last.
  await repository.click();
  await expect(page.getByRole("option").last()).toContainText("No repository");
  expect(await page.getByRole("option").count()).toBeGreaterThan(2);
  await page.keyboard.press("Escape");
  // A closing list is still there for a moment and takes no keys.
  await expect(page.getByRole("listbox")).toHaveCount(0);

  // A slow answer makes no difference.
  await page.route(/\/repos\?.*q=alp/, async (route) => {
    const response = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.fulfill({ response });
  });
  await pick(page, "Repository", "alpha");
  await expect(repository).toHaveText(alpha.full_name);

  await pick(page, "Base branch", "zebra");
  await expect(page.getByRole("combobox", { name: "Base branch" })).toHaveText("feature/zebra");
  await pick(page, "Base branch", "another-one");
  await expect(page.getByRole("combobox", { name: "Base branch" })).toHaveText("another-one");
  await pick(page, "Agent", "steps");
  await expect(page.getByRole("combobox", { name: "Agent" })).toContainText(/steps/i);

  await pick(page, "Repository", "no repo");
  await expect(page.getByRole("button", { name: "Start without a repository" })).toBeVisible();

  for (const path of ["/runs", "/search"]) {
    await page.goto(`${product.url}${path}`);
    await pick(page, "Repository", "zeta");
    await expect(page).toHaveURL(new RegExp(`[?&]repo(_id)?=${zeta.id}\\b`));
    await pick(page, "Repository", "any rep");
    await expect(page).not.toHaveURL(/repo/);
    await pick(page, "Agent", "a");
    await expect(page).toHaveURL(/[?&]agent=/);
  }
  await pick(page, "Date", "we");
  await expect(page).toHaveURL(/[?&]age=week/);
});

test("letters and Enter that reach a picker before its opened list has the focus are not lost", async ({
  signedIn: page,
  product,
}) => {
  const sigma = await addRepository(product, "sigma");
  await addRepository(product, "tau");
  await page.goto(`${product.url}/runs/new`);
  await expect(page.getByLabel("Prompt")).toBeFocused();
  const repository = page.getByRole("combobox", { name: "Repository", exact: true });
  await expect(repository).not.toContainText("No repository");
  await repository.press("Enter");
  await expect(page.getByRole("listbox")).toBeVisible();
  for (const key of [..."sigma", "Enter"]) await repository.dispatchEvent("keydown", { key });
  await expect(page.getByRole("listbox")).toHaveCount(0);
  await expect(repository).toHaveText(sigma.full_name);
  // Closed, it leaves the keys to the page.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("in a picker no match chooses nothing, and arrow keys choose another match", async ({
  signedIn: page,
  product,
}) => {
  await addRepository(product, "kappa-one");
  await addRepository(product, "kappa-two");
  await page.goto(`${product.url}/runs/new`);
  // The page focuses the prompt once it listens.
  await expect(page.getByLabel("Prompt")).toBeFocused();
  const repository = page.getByRole("combobox", { name: "Repository" });
  await pick(page, "Repository", "kappa-one");
  const before = await repository.textContent();

  await repository.click();
  await page.keyboard.type("there is no such thing");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No matching repository")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(repository).toHaveText(before ?? "");

  await repository.click();
  await page.keyboard.type("kappa");
  await expect(page.getByRole("option")).toHaveCount(2);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(repository).toContainText("kappa-two");
});
