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
  const notice = form.getByRole("alert").filter({ hasText: "version 2 meanwhile" });
  await expect(notice).toBeVisible();
  await expect(install).toHaveValue("echo mine");
  await notice.getByRole("button", { name: "Show theirs" }).click();
  await expect(install).toHaveValue("echo theirs");
  await install.fill("echo both");
  expect((await accept("echo theirs again")).status).toBe(200);
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByRole("alert").filter({ hasText: "version 3 meanwhile" })).toBeVisible();
  await form.getByRole("button", { name: "Keep mine" }).click();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Setup commands saved", { exact: true })).toBeVisible();
  await expect(install).toHaveValue("echo both");
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
