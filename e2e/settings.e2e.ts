import { ApiClient } from "./api.ts";
import { expectFocusIn } from "./keyboard.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

test("a person's own rules are set on the profile page and given to the agent of their next run", async ({
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

  // On the new run page "More" is folded, and its settings reach the run.
  await page.goto(`${product.url}/runs/new`);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  const minutes = page.getByLabel("Time limit per turn, in minutes");
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
    await expect(rules).toHaveValue("", { timeout: 1000 });
    await page.getByRole("button", { name: "Save rules" }).click({ timeout: 1000 });
  }).toPass();
  await expect.poll(async () => (await api.ask("GET", "/cli/rules")).body.user_custom_prompt).toBe(null);
});

test("more than a hundred tokens have pages, each with its address", async ({ signedIn: page, product }) => {
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

test("a page with a part that failed to load still has one h1", async ({ signedIn: page, product }) => {
  await page.goto(`${product.url}/settings/audit`);
  await expect(page.getByRole("list", { name: "Records" })).toBeVisible();
  await page.route("**/audit?**", (route) => route.abort());
  await expect(async () => {
    await page.getByRole("combobox", { name: "What" }).click();
    await page.getByRole("option", { name: "Revoked a token" }).click({ timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("heading", { name: "The audit log could not be loaded" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(["Audit log"]);
});

test("a day is typed into the audit log's filter digit by digit, and is one request and no step back", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/settings/audit`);
  await expect(async () => {
    await page.getByRole("combobox", { name: "What" }).click();
    await page.getByRole("option", { name: "Revoked a token" }).click({ timeout: 1000 });
  }).toPass();
  await expect(page).toHaveURL(/act=token/);
  const entries = () => page.evaluate(() => window.history.length);
  const before = await entries();
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const since = pathname.endsWith("/audit") ? searchParams.get("since") : null;
    if (since !== null) asked.push(since);
  });
  for (const name of ["From (UTC)", "To (UTC)"]) await expect(page.getByText(name, { exact: true })).toBeVisible();
  const from = page.getByLabel("From (UTC)");
  await from.focus();
  await from.pressSequentially("11272026");
  await expect.poll(() => asked).toEqual(["2026-11-27T00:00:00Z"]);
  await expect(from).toHaveValue("2026-11-27");
  await from.press("Backspace");
  await expect(page).not.toHaveURL(/since=/);
  await from.pressSequentially("2025");
  await expect.poll(() => asked).toEqual(["2026-11-27T00:00:00Z", "2025-11-27T00:00:00Z"]);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(from).toHaveValue("");
  expect(await entries()).toBe(before + 1);
});

test("a day that the audit log's filter does not take, such as one of the year 26, does not stay in its field", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/settings/audit?until=2026-11-27`);
  await expect(async () => {
    await page.getByRole("combobox", { name: "What" }).click();
    await page.getByRole("option", { name: "Revoked a token" }).click({ timeout: 1000 });
  }).toPass();
  await expect(page).toHaveURL(/act=token/);
  const to = page.getByLabel("To (UTC)");
  await to.focus();
  await to.pressSequentially("112726");
  await expect(to).toHaveValue("0026-11-27");
  await to.blur();
  await expect(to).toHaveValue("2026-11-27");
  await expect(page).toHaveURL(/until=2026-11-27/);
  await to.focus();
  await to.pressSequentially("112726");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(to).toHaveValue("");
  await expect(page).toHaveURL(/\/audit$/);
  await to.focus();
  await to.pressSequentially("1127");
  const hasPart = () => to.evaluate((input: HTMLInputElement) => input.validity.badInput);
  expect(await hasPart()).toBe(true);
  await to.blur();
  expect(await hasPart()).toBe(false);
});

test("limits of what is kept can be saved after what they would remove could not be checked", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/settings/storage`);
  const form = page.locator("form").filter({ has: page.getByLabel("Keep logs up to (GB)") });
  const save = form.getByRole("button", { name: "Save", exact: true });
  await expect(async () => {
    await page.getByLabel("Keep logs up to (GB)").fill("500");
    await expect(save).not.toHaveAttribute("aria-disabled", "true", { timeout: 1000 });
  }).toPass();
  const problem = { detail: "The store is busy.", code: "conflict", request_id: "req_1" };
  const alert = page.getByRole("alert").filter({ hasText: "Could not check what this would remove" });
  const dialog = page.getByRole("dialog", { name: "Save these settings?" });
  for (const again of [save, alert.getByRole("button", { name: "Try again" })]) {
    await page.route("**/storage/preview", (route) => route.fulfill({ status: 409, json: problem }));
    await save.click();
    await expect(alert).toBeVisible();
    await page.unroute("**/storage/preview");
    await again.press("Enter");
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect(dialog).toBeHidden();
    await expectFocusIn(form);
  }
});

test("a person who may not open the webhooks page sees no link to it", async ({ page, product }) => {
  const api = await ApiClient.create(product);
  const { body: invited } = await api.ask("POST", "/invitations", { role: "viewer" });
  const person = { full_name: "Reader", email: "reader@example.com", password: "correct horse battery" };
  const joined = await page.request.post(`${product.url}/v1/invitations/${invited.code}/accept`, { data: person });
  expect(joined.status()).toBe(200);
  await page.goto(`${product.url}/settings/integrations`);
  await expect(page.getByText(/^Webhook/)).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Webhook" })).toHaveCount(0);
  const { user } = await joined.json();
  expect((await api.ask("DELETE", `/users/${user.id}`)).status).toBe(200);
});

test("the repository of a Slack channel is found by typing, on the server", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  await page.goto(`${product.url}/settings/integrations`);
  const dialog = page.getByRole("dialog");
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole("button", { name: "Connect Slack" }).click();
    await expect(dialog).toBeVisible({ timeout: 1000 });
  }).toPass();
  await dialog.getByRole("button", { name: "Add a channel" }).click();
  await dialog.getByRole("combobox", { name: "Repository" }).click();
  const name = String(repository.full_name);
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get("q") === name);
  await page.getByPlaceholder("Find a repository").fill(name);
  await asked;
  await page.getByRole("option", { name }).click();
  await expect(dialog.getByRole("combobox", { name: "Repository" })).toHaveText(name);
});

test("text typed while settings are saved is kept, and changes saved by others meanwhile are not undone", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  await page.goto(`${product.url}/settings/organization`);
  const rules = page.getByLabel("Rules", { exact: true });
  const save = page.getByRole("button", { name: "Save", exact: true });
  // Another tab of the same person.
  const setOwnRules = async (text: string | null) => {
    const sent = { headers: { "sec-fetch-site": "same-origin" }, data: { rules: text } };
    expect((await page.request.patch(`${product.url}/v1/users/me`, sent)).status()).toBe(200);
  };
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/v1/organizations/1/settings", async (route) => {
    if (route.request().method() === "PATCH") await released;
    await route.continue();
  });
  await rules.fill("Use tabs.");
  await save.click();
  await rules.fill("Use tabs. Answer in");
  release();
  await expect(page.getByText("Settings saved", { exact: true })).toBeVisible();
  await expect(rules).toHaveValue("Use tabs. Answer in");
  await rules.fill("Use spaces.");
  await save.click();
  await expect.poll(async () => (await api.ask("GET", "/settings")).body.rules).toBe("Use spaces.");

  // Coming back to the page reads the settings again.
  const links = page.getByRole("navigation", { name: "Settings" });
  await links.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("textbox", { name: "Your rules" })).toHaveValue("");
  expect((await api.ask("PATCH", "/settings", { rules: null })).status).toBe(200);
  await setOwnRules("Be short.");
  await links.getByRole("link", { name: "Organization" }).click();
  await expect(rules).toHaveValue("");
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await links.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("textbox", { name: "Your rules" })).toHaveValue("Be short.");
  await expect(page.getByRole("button", { name: "Save rules" })).toBeDisabled();
  await setOwnRules(null);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test("a tap on a disabled button shows why it is disabled, and a tap elsewhere closes it", async ({
    signedIn: page,
    product,
  }) => {
    await page.goto(`${product.url}/settings/organization`);
    const reason = page.getByRole("tooltip");
    await expect(async () => {
      // Without `force` a tap waits until the button is enabled.
      await page.getByRole("button", { name: "Save" }).tap({ force: true });
      await expect(reason).toHaveText("No changes to save", { timeout: 1000 });
    }).toPass();
    await page.getByRole("heading", { name: "Organization", level: 1 }).tap();
    await expect(reason).toBeHidden();
  });
});
