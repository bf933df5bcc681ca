import type { Locator } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

test("saving the webhook changes what was edited, and nothing that somebody else saved meanwhile", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const first = { url: "http://127.0.0.1:9/first", events: ["run.finished"] };
  expect((await api.ask("POST", "/webhooks/agent-run", first)).status).toBe(200);
  await page.goto(`${product.url}/settings/webhooks`);
  const form = page.getByRole("form", { name: "Webhook" });
  await expect(form.getByLabel("URL")).toHaveValue(first.url);
  const second = { url: "http://127.0.0.1:9/second", events: ["run.finished"] };
  expect((await api.ask("POST", "/webhooks/agent-run", second)).status).toBe(200);
  await form.getByRole("checkbox").first().click();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Webhook saved", { exact: true })).toBeVisible();
  const { body } = await api.ask("GET", "/webhooks/agent-run");
  expect(body.url).toBe(second.url);
  expect(body.events).toHaveLength(2);
  expect((await api.ask("DELETE", "/webhooks/agent-run")).status).toBe(200);
});

test("setup commands being edited stay when somebody else saves others, and the page says so", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  const accept = (install: string) => api.ask("PUT", `/repos/${repository.id}/setup`, { install: [install] });
  expect((await accept("echo one")).status).toBe(200);
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const form = page.getByRole("form", { name: "Setup commands" });
  const install = form.getByRole("textbox", { name: "Install command 1" });
  await expect(install).toHaveValue("echo one");
  // Until the page is hydrated, what is typed may land beside what is there.
  await expect(async () => {
    await install.fill("echo mine");
    await expect(install).toHaveValue("echo mine", { timeout: 1000 });
  }).toPass();
  expect((await accept("echo theirs")).status).toBe(200);
  // The page has not heard of it: the service refuses, and the page reads it again.
  await form.getByRole("button", { name: "Save", exact: true }).click();
  const notice = form.getByRole("alert").filter({ hasText: "version 2 while you were editing" });
  await expect(notice).toBeVisible();
  await expect(install).toHaveValue("echo mine");
  await notice.getByRole("button", { name: "Show theirs" }).click();
  await expect(install).toHaveValue("echo theirs");
  await install.fill("echo both");
  expect((await accept("echo theirs again")).status).toBe(200);
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByRole("alert").filter({ hasText: "version 3 while you were editing" })).toBeVisible();
  await form.getByRole("button", { name: "Keep mine" }).click();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Setup commands saved", { exact: true })).toBeVisible();
  await expect(install).toHaveValue("echo both");
});

test("edits are discarded on request, and what somebody else saved meanwhile is shown and stays", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  const settings = `/repos/check-suite-settings?repo_id=${repository.id}`;
  const put = (body: object) => api.ask("PUT", settings, body);
  expect((await put({ custom_prompts: { build: "Run make." } })).status).toBe(200);
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const form = page.getByRole("form", { name: "Checks" });
  const build = form.getByRole("group", { name: "build" });
  const save = form.getByRole("button", { name: "Save", exact: true });
  const discard = form.getByRole("button", { name: "Discard changes" });
  const ignore = build.getByRole("checkbox", { name: "Ignore it" });
  await expect(async () => {
    await ignore.click();
    await expect(discard).toBeVisible({ timeout: 1000 });
  }).toPass();
  await discard.press("Enter");
  await expect(discard).toHaveCount(0);
  await expect(save).toBeFocused();
  await expect(save).toBeDisabled();
  await expect(ignore).not.toBeChecked();

  await ignore.click();
  expect((await put({ custom_prompts: { build: "Run make.", e2e: "Wait." }, check_retry_count: 7 })).status).toBe(200);
  // Whoever comes back to a page sees what is saved now.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await expect(form.getByRole("group", { name: "e2e" })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(ignore).toBeChecked();
  await save.click();
  await expect(page.getByText("Check settings saved", { exact: true })).toBeVisible();
  expect((await api.ask("GET", settings)).body).toMatchObject({
    check_retry_count: 7,
    ignored_checks: ["build"],
    custom_prompts: { build: "Run make.", e2e: "Wait." },
  });
});

test("text typed while pull request settings and the profile are saved is kept", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  const held = Promise.withResolvers<void>();
  await page.route("**/pull-settings", async (route) => {
    if (route.request().method() === "PUT") await held.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const form = page.getByRole("form", { name: "Pull requests" });
  await form.getByLabel("Commit name").fill("Errand's hand");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.getByLabel("Commit email").fill("hand@example.com");
  held.resolve();
  await expect(page.getByText("Pull request settings saved", { exact: true })).toBeVisible();
  await expect(form.getByLabel("Commit email")).toHaveValue("hand@example.com");

  const released = Promise.withResolvers<void>();
  await page.route("**/v1/users/me", async (route) => {
    if (route.request().method() === "PATCH") await released.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/settings/profile`);
  const github = page.getByLabel("GitHub username");
  await github.fill("ada");
  const save = page.getByRole("main").getByRole("button", { name: "Save", exact: true });
  await save.click();
  await github.fill("ada-l");
  released.resolve();
  await expect(page.getByText("Profile saved", { exact: true })).toBeVisible();
  await expect(github).toHaveValue("ada-l");
  await github.fill("");
  await save.click();
  await expect
    .poll(async () => (await page.request.get(`${product.url}/v1/users/me`)).json())
    .toMatchObject({
      github_username: "",
    });
  await expect(save, "which has become disabled").toBeFocused();
});

test("what is chosen or typed while network settings are saved is kept, and what was saved is said", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  expect((await api.ask("PATCH", "/network", { network: "allowed" })).status).toBe(200);
  let held = Promise.withResolvers<void>();
  await page.route("**/network", async (route) => {
    if (route.request().method() === "PATCH") await held.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/settings/isolation`);
  const network = page.getByRole("region", { name: "Network" });
  const save = network.getByRole("button", { name: "Save", exact: true });
  const choose = (name: string) => network.getByRole("radio", { name, exact: true }).click();
  await expect(async () => {
    await choose("Off");
    await expect(save).toBeVisible({ timeout: 1000 });
  }).toPass();
  await save.click();
  await choose("Open");
  held.resolve();
  await expect(page.getByText("Network changed", { exact: true })).toBeVisible();
  await expect(network.getByRole("radio", { name: "Open", exact: true })).toBeChecked();
  await expect(save).toBeVisible();
  expect((await api.ask("GET", "/network")).body.network).toBe("off");

  held = Promise.withResolvers<void>();
  const host = network.getByRole("textbox", { name: "Host" });
  const port = network.getByRole("spinbutton", { name: "Port" });
  const allowed = network.getByRole("list", { name: "Allowed hosts" });
  await host.fill("one.example.com");
  await port.fill("8443");
  await host.press("Enter");
  await host.fill("two.example.com");
  await host.press("Enter");
  held.resolve();
  await expect(page.getByText("one.example.com:8443 is allowed", { exact: true })).toBeVisible();
  await expect(allowed.getByRole("listitem")).toHaveText([/^one\.example\.com/]);
  await expect(host).toHaveValue("two.example.com");
  await host.press("Enter");
  await expect(allowed.getByRole("listitem")).toHaveText(["one.example.com8443", "two.example.com8443"]);
  await expect(host).toHaveValue("");
  await expect(port).toHaveValue("");

  held = Promise.withResolvers<void>();
  await host.fill("not a host");
  await host.press("Enter");
  await host.fill("three.example.com");
  held.resolve();
  await expect(network.getByRole("alert").filter({ hasText: "not a host could not be allowed" })).toBeVisible();
  await expect(host).not.toHaveAttribute("aria-invalid", "true");
  const remove = ["one", "two"].map((name) => ({ host: `${name}.example.com`, port: 8443 }));
  expect((await api.ask("PATCH", "/network", { network: "allowed", remove })).status).toBe(200);
});

test("what is being saved cannot be cancelled any more", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  expect((await api.ask("PATCH", "/network", { network: "allowed" })).status).toBe(200);
  const expectNoCancel = async (cancel: Locator) => {
    await expect(cancel).toHaveAttribute("aria-disabled", "true");
    await cancel.press("Enter");
  };
  let held = Promise.withResolvers<void>();
  await page.route(/\/(keys|network|setup|check-suite-settings)(\?|$)/, async (route) => {
    if (route.request().method() !== "GET") await held.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/settings/isolation`);
  const form = page.getByRole("form", { name: "Add a key" });
  await expect(async () => {
    if (!(await form.isVisible())) await page.getByRole("button", { name: "Add a key" }).click({ timeout: 1000 });
    await expect(form).toBeVisible({ timeout: 1000 });
  }).toPass();
  await form.getByRole("combobox", { name: "Variable" }).click();
  await page.getByPlaceholder("Find or type a variable").fill("KEY_OF_MEANWHILE");
  await page.getByRole("option", { name: /KEY_OF_MEANWHILE/ }).click();
  await form.getByLabel("Key").fill("sk-of-this-journey");
  await form.getByRole("button", { name: "Save key" }).click();
  await expectNoCancel(form.getByRole("button", { name: "Cancel" }));
  await expect(form).toBeVisible();
  held.resolve();
  await expect(page.getByText("KEY_OF_MEANWHILE is saved", { exact: true })).toBeVisible();
  await expect(form).toHaveCount(0);
  const { items } = (await api.ask("GET", "/keys")).body as { items: { id: number; variable: string }[] };
  const kept = items.find(({ variable }) => variable === "KEY_OF_MEANWHILE");
  expect((await api.ask("DELETE", `/keys/${kept?.id}`)).status).toBe(200);

  held = Promise.withResolvers<void>();
  const network = page.getByRole("region", { name: "Network" });
  const saveNetwork = network.getByRole("button", { name: "Save", exact: true });
  const radio = (name: string) => network.getByRole("radio", { name, exact: true });
  await radio("Off").click();
  await saveNetwork.click();
  await expectNoCancel(network.getByRole("button", { name: "Cancel" }));
  await expect(radio("Off")).toBeChecked();
  await radio("Allowed hosts").click();
  await expect(saveNetwork).toHaveAttribute("aria-busy", "true");
  held.resolve();
  await expect(page.getByText("Network changed", { exact: true })).toBeVisible();
  expect((await api.ask("PATCH", "/network", { network: "allowed" })).status).toBe(200);

  held = Promise.withResolvers<void>();
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  expect((await api.ask("PUT", `/repos/${repository.id}/setup`, { install: ["true"] })).status).toBe(200);
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const setup = page.getByRole("form", { name: "Setup commands" });
  const checks = page.getByRole("form", { name: "Checks" });
  const install = setup.getByRole("textbox", { name: "Install command 1" });
  await expect(install).toHaveValue("true");
  // Until the page is hydrated, what is typed may land beside what is there.
  await expect(async () => {
    await install.fill("echo one");
    await expect(install).toHaveValue("echo one", { timeout: 1000 });
    await setup.getByRole("button", { name: "Save", exact: true }).click({ timeout: 1000 });
  }).toPass();
  await expectNoCancel(setup.getByRole("button", { name: "Cancel" }));
  await expect(install).toHaveValue("echo one");
  const apps = checks.getByLabel("High-priority apps");
  await apps.fill("ci");
  await checks.getByRole("button", { name: "Save", exact: true }).click();
  await expectNoCancel(checks.getByRole("button", { name: "Discard changes" }));
  await expect(apps).toHaveValue("ci");
  held.resolve();
  await expect(page.getByText("Setup commands saved", { exact: true })).toBeVisible();
  await expect(page.getByText("Check settings saved", { exact: true })).toBeVisible();
});
