import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

test("one's own rules are set on the profile page and given to the agent of one's next run", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/settings/profile`);
  const rules = page.getByRole("textbox", { name: "Your rules" });
  await expect(async () => {
    await rules.fill("Answer in short sentences.");
    await expect(page.getByRole("button", { name: "Save rules" })).toBeEnabled({ timeout: 1000 });
  }).toPass();
  await page.getByRole("button", { name: "Save rules" }).click();
  await expect(page.getByText("Rules saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(rules).toHaveValue("Answer in short sentences.");
  const api = await ApiClient.create(product);
  expect((await api.ask("GET", "/cli/rules")).body.user_custom_prompt).toBe("Answer in short sentences.");

  // The new run page: more is folded away, and what is set there reaches the run.
  await page.goto(`${product.url}/runs/new`);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  const minutes = page.getByLabel("Time limit of each turn, in minutes");
  await expect(async () => {
    await page.getByText("More", { exact: true }).click();
    await expect(minutes).toBeVisible({ timeout: 1000 });
  }).toPass();
  await minutes.fill("7");
  await prompt.fill("Look.\n```sh\ntrue\n```");
  await page.getByRole("button", { name: /^Start/ }).click();
  await page.waitForURL(/\/runs\/\d+$/);
  const runId = Number(new URL(page.url()).pathname.split("/").at(-1));
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.status).toBe("completed");
  expect((await api.ask("GET", `/agent/run/${runId}`)).body.turn_timeout_s).toBe(420);
  await expect(page.getByText(/given the rules of the person who started the run \(26 characters\)/)).toBeVisible();
  await page.goto(`${product.url}/settings/profile`);
  await expect(async () => {
    await rules.fill("");
    await page.getByRole("button", { name: "Save rules" }).click({ timeout: 1000 });
  }).toPass();
  await expect.poll(async () => (await api.ask("GET", "/cli/rules")).body.user_custom_prompt).toBe(null);
});

test("more than a hundred tokens are turned page by page, and each page has an address", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  for (let at = 1; at <= 101; at += 1) {
    expect((await api.ask("POST", "/tokens", { name: `Script ${at}`, role: "viewer" })).status).toBe(200);
  }
  await page.goto(`${product.url}/settings/tokens`);
  const rows = page.getByRole("list", { name: "Tokens" }).getByRole("listitem");
  await expect(rows).toHaveCount(100);
  await expect(page.getByText("Script 101", { exact: true })).toBeVisible();
  await page.getByRole("navigation", { name: "Pages of tokens" }).getByRole("button", { name: "Older" }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(page.getByText("Script 1", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Script 1", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("Script 101", { exact: true })).toBeVisible();
});
