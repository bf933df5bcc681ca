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

test("what is not shown again is not lost to Escape while it is created, and does not wait for a list", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Created once", agent: "external" });
  for (const { path, opener, action, requests } of [
    { path: "/settings/tokens", opener: "New token", action: "Create token", requests: /\/tokens(\?|$)/ },
    { path: "/settings/members", opener: "Invite", action: "Create link", requests: /\/invitations(\?|$)/ },
    { path: `/runs/${run.id}`, opener: "Share", action: "Create link", requests: /\/shares(\?|$)/ },
  ]) {
    const [created, listed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isAsked = false;
    await page.route(requests, async (route) => {
      if (route.request().method() === "POST") {
        isAsked = true;
        await created.promise;
      } else if (isAsked) await listed.promise;
      await route.continue();
    });
    await page.goto(product.url + path);
    await page.getByRole("button", { name: opener }).first().click();
    const dialog = page.getByRole("dialog");
    if (opener === "New token") await dialog.getByRole("textbox", { name: "Name" }).fill("Created once");
    await dialog.getByRole("button", { name: action }).click();
    await expect(dialog.getByRole("button", { name: action })).toHaveAttribute("aria-busy", "true");
    await page.keyboard.press("Escape");
    await expect(dialog, path).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await dialog.getByRole("button", { name: "Close" }).press("Enter");
    created.resolve();
    await expect(dialog.locator("code").first(), path).toBeVisible();
    listed.resolve();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.unroute(requests);
  }
});

test("a check for secrets that fails halfway says so, and goes on when asked to", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Check me", agent: "external" });
  const part = { logs: 2000, tool_calls: 0, masked_secrets: 0, masked_logs: 0, masked_seqs: [] };
  const problem = { detail: "The disk is full.", code: "conflict", request_id: "req_1" };
  let isFailing = true;
  await page.route("**/shares/preview?*", (route) => {
    const isFirst = new URL(route.request().url()).searchParams.get("after_seq") === "0";
    if (isFirst) return route.fulfill({ json: { ...part, checked_to_seq: 1000, complete: false } });
    if (isFailing) return route.fulfill({ status: 409, json: problem });
    return route.fulfill({ json: { ...part, checked_to_seq: 2000, complete: true } });
  });
  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("button", { name: "Share" }).click();
  const preview = page.getByRole("region", { name: "What the link shows" });
  await expect(preview).toContainText("so far, 1,000 steps checked");
  const alert = preview.getByRole("alert");
  await expect(alert).toContainText("The rest of the run could not be checked");
  isFailing = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(alert).toHaveCount(0);
  await expect(preview).toContainText("No secrets found");
  await expect(preview).not.toContainText("so far");
});

test("a dialog stays open while its request is pending, and shows the outcome", async ({ signedIn: page, product }) => {
  for (const { path, opener, named, action, requests } of [
    {
      path: "/repositories",
      opener: "Add repository",
      named: { "Path or URL": "/nowhere/at/all" },
      action: "Add repository",
      requests: /\/repos$/,
    },
    {
      path: "/settings/integrations",
      opener: "Connect GitHub",
      named: { URL: "nowhere" },
      action: "Connect and test",
      requests: /\/integrations\/github$/,
    },
    {
      path: "/settings/integrations",
      opener: "Connect MCP servers",
      named: { URL: "nowhere" },
      action: "Connect and test",
      requests: /\/integrations\/mcp$/,
    },
  ]) {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route(requests, async (route) => {
      if (route.request().method() !== "GET") await answered;
      await route.continue();
    });
    await page.goto(product.url + path);
    await page.getByRole("button", { name: opener }).first().click();
    const dialog = page.getByRole("dialog");
    for (const [label, text] of Object.entries(named)) await dialog.getByLabel(label).fill(text);
    await dialog.getByRole("button", { name: action }).click();
    await expect(dialog.getByRole("button", { name: action })).toHaveAttribute("aria-busy", "true");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await dialog.getByRole("button", { name: "Close" }).press("Enter");
    answer();
    await expect(dialog.locator("[aria-invalid=true]").first(), opener).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
    await expect(dialog).toHaveCount(0);
    await page.unroute(requests);
  }
});
