import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

/** A prompt with a step of its own, which ends at once. */
const promptOf = (title: string) => `${title}\n\`\`\`sh\ntrue\n\`\`\``;
const sends = "**/agent/run";

test("a run or message whose response was lost is sent again as the same one", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const loseOneResponse = (address: string) =>
    page.route(
      address,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  await page.goto(`${product.url}/runs/new`);
  await loseOneResponse(sends);
  await page.getByRole("textbox", { name: "Prompt" }).fill(promptOf("Started once"));
  const start = page.getByRole("button", { name: /^Start/ });
  await start.click();
  await expect(page.getByRole("alert").filter({ hasText: "The run may not have been started" })).toBeVisible();
  await start.click();
  await expect(page.getByRole("heading", { name: "Started once" })).toBeVisible();
  expect((await api.ask("GET", "/agent/runs?q=Started%20once")).body.total).toBe(1);
  await expect(page.getByText("Completed").first()).toBeVisible();

  await loseOneResponse("**/agent/run/resume");
  const field = page.getByRole("textbox", { name: "Continue the run" });
  await field.fill(promptOf("Go on"));
  await field.press("Control+Enter");
  await expect(page.getByRole("alert").filter({ hasText: "The message may not have been delivered" })).toBeVisible();
  await page
    .locator("[data-composer]")
    .getByRole("button", { name: /^(Continue|Queue|Send)/ })
    .click();
  await expect(page.locator("[data-composer]").getByRole("textbox")).toHaveValue("");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const run = async () => (await api.ask("GET", `/agent/run/${id}`)).body;
  await expect.poll(async () => (await run()).status).toBe("completed");
  expect((await run()).turns).toBe(2);
});

test("a run started while its author leaves the form is announced, and is not in the form again", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/runs/new`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(sends, async (route) => {
    await released;
    await route.continue();
  });
  const field = page.getByRole("textbox", { name: "Prompt" });
  await field.fill(promptOf("Left behind"));
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("Left behind");
  await page.getByRole("button", { name: /^Start/ }).click();
  await sidebarLink(page, "Runs").click();
  await expect(page).toHaveURL(/\/runs$/);
  release();
  await expect(page.getByText(/^Run \d+ started$/)).toBeVisible();
  await page.goto(`${product.url}/runs/new`);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await page.goto(`${product.url}/runs`);
  await page.getByRole("link", { name: "Left behind" }).click();
  await expect(page.getByText("Completed").first()).toBeVisible();
});

test("comments sent while their author leaves the run are not offered to be sent again", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: begun } = await api.ask("POST", "/agent/run", {
    prompt: "Write.\n```sh\nseq 1 9 > n.txt\n```",
    agent: "steps",
  });
  const run = async () => (await api.ask("GET", `/agent/run/${begun.id}`)).body;
  await expect.poll(async () => (await run()).status).toBe("completed");
  await page.goto(`${product.url}/runs/${begun.id}?tab=changes`);
  await page.getByRole("button", { name: /^Line 2, added/ }).press("Enter");
  const field = page.getByRole("textbox", { name: "Comment on n.txt, line 2" });
  await field.fill(promptOf("Why?"));
  await field.press("Control+Enter");
  const comments = page.getByRole("region", { name: "Comments" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/agent/run/resume", async (route) => {
    await released;
    await route.continue();
  });
  await comments.getByRole("button", { name: "Send to the agent" }).click();
  await sidebarLink(page, "Runs").click();
  await expect(page).toHaveURL(/\/runs$/);
  await page.goBack();
  await expect(comments).toContainText("1 comment");
  release();
  await expect(comments).toHaveCount(0);
  await expect.poll(async () => (await run()).status).toBe("completed");
  expect((await run()).turns).toBe(2);
});

test("however often a new secret of the webhook is asked for while one is being made, it is one secret", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const webhook = { url: "http://127.0.0.1:9/secret", events: ["run.finished"] };
  expect((await api.ask("POST", "/webhooks/agent-run", webhook)).status).toBe(200);
  await page.goto(`${product.url}/settings/webhooks`);
  const form = page.getByRole("form", { name: "Webhook" });
  let sent = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/webhooks/endpoints/*", async (route) => {
    if (route.request().method() === "PATCH") {
      sent += 1;
      await released;
    }
    await route.continue();
  });
  const generate = form.getByRole("button", { name: "Generate new secret" });
  await generate.dblclick();
  await expect(generate).toHaveAttribute("aria-busy", "true");
  await form.getByRole("button", { name: "Save", exact: true }).press("Enter");
  release();
  await expect(form.getByText(/^whsec_/)).toBeVisible();
  await expect(generate).not.toHaveAttribute("aria-busy");
  expect(sent).toBe(1);
  expect((await api.ask("DELETE", "/webhooks/agent-run")).status).toBe(200);
});

test("a run that is being deleted cannot be kept any more", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Deleted", agent: "external" });
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
  await page.goto(`${product.url}/runs/${run.id}`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/agent/run/${run.id}`, async (route) => {
    if (route.request().method() === "DELETE") await released;
    await route.continue();
  });
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete run ${run.id}?` });
  await dialog.getByRole("button", { name: "Delete run" }).click();
  const keep = dialog.getByRole("button", { name: "Keep" });
  await expect(keep).toHaveAttribute("aria-disabled", "true");
  await keep.press("Enter");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  release();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByText(`Run ${run.id} deleted`, { exact: true })).toBeVisible();
});

test("setup commands that Ctrl+Enter sends twice are saved once", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/setup", async (route) => {
    if (route.request().method() === "PUT") await released;
    await route.continue();
  });
  await page.goto(`${product.url}/repositories/${repository.id}`);
  const form = page.getByRole("form", { name: "Setup commands" });
  await form.getByRole("button", { name: "Add install command" }).click();
  await page.keyboard.type("echo once");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Control+Enter");
  release();
  await expect(page.getByText("Setup commands saved", { exact: true })).toBeVisible();
  await expect(form.getByRole("alert")).toHaveCount(0);
  expect((await api.ask("GET", `/repos/${repository.id}/setup`)).body.version).toBe(1);
});

test("the list of runs stays up to date after a run that left its filter is deleted", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const begin = async (prompt: string) =>
    (await api.ask("POST", "/agent/run", { prompt, agent: "external" })).body.id as number;
  // Of the live runs, only some are read one by one.
  const others = await Promise.all(Array.from({ length: 12 }, (_, index) => begin(`Older ${index}`)));
  const id = await begin("To be deleted");
  await page.goto(`${product.url}/runs?agent=external&status=queued,running`);
  const row = page.getByRole("link", { name: "To be deleted" });
  await expect(row).toBeVisible();
  const missed = page.waitForResponse(
    (response) => response.url().endsWith(`/agent/run/${id}`) && response.status() === 404,
  );
  // The list is not asked for between the two: otherwise it could know that the run has left the filter.
  const asked = Promise.withResolvers<void>();
  const deleted = Promise.withResolvers<void>();
  await page.route(/\/agent\/runs\?/, async (route) => {
    asked.resolve();
    await deleted.promise;
    await route.continue();
  });
  await asked.promise;
  await api.ask("PATCH", `/agent/run/${id}`, { status: "completed" });
  await api.ask("DELETE", `/agent/run/${id}`);
  deleted.resolve();
  await missed;
  await expect(row).toBeHidden();
  const next = await begin("Started later");
  await page
    .getByRole("button", { name: /new run/ })
    .or(page.getByRole("link", { name: "Started later" }))
    .first()
    .click();
  for (const one of [...others, next]) await api.ask("PATCH", `/agent/run/${one}`, { status: "completed" });
});

test("a person is unlinked once, however often the button is pressed", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  // Nothing answers there: people can be linked all the same.
  const secrets = { base_url: "http://127.0.0.1:9", token: "glpat-of-nobody" };
  expect((await api.ask("PUT", "/integrations/gitlab", secrets)).status).toBe(200);
  const { id: user_id } = (await api.ask("GET", "/v1/users/me")).body;
  for (const external_id of ["ada", "grace"]) {
    expect((await api.ask("PUT", "/integrations/gitlab/links", { external_id, user_id })).status).toBe(200);
  }
  await page.goto(`${product.url}/settings/integrations`);
  const dialog = page.getByRole("dialog", { name: "People in GitLab" });
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole("button", { name: "People in GitLab" }).click();
    await expect(dialog).toBeVisible({ timeout: 1000 });
  }).toPass();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const deleted: string[] = [];
  await page.route("**/links/*", async (route) => {
    deleted.push(new URL(route.request().url()).pathname.split("/").at(-1) ?? "");
    await released;
    await route.continue();
  });
  const unlink = dialog.getByRole("button", { name: "Unlink ada" });
  await unlink.dblclick();
  await expect(unlink).toHaveAttribute("aria-disabled", "true");
  await dialog.getByRole("button", { name: "Unlink grace" }).press("Enter");
  release();
  await expect(unlink).toHaveCount(0);
  await expect(dialog.getByText("grace", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  expect(deleted).toEqual(["ada"]);
  expect((await api.ask("DELETE", "/integrations/gitlab")).status).toBe(200);
});

test("a saved profile is confirmed, and the side bar has the new name", async ({ signedIn: page, product }) => {
  await page.goto(`${product.url}/settings/profile`);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const before = await name.inputValue();
  const save = page.getByRole("button", { name: "Save", exact: true });
  for (const next of ["Ada of the journeys", before]) {
    await name.fill(next);
    await save.click();
    await expect(page.getByText("Profile saved", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: `${next}, your menu` })).toBeVisible();
    await expect(save).toHaveAttribute("aria-disabled", "true");
    await expect(save).toBeFocused();
  }
});

function sidebarLink(page: Page, name: string) {
  return page.getByRole("navigation").getByRole("link", { name, exact: true });
}
