import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiClient } from "./api.ts";
import { expectFocusIn } from "./keyboard.ts";
import { inspect } from "./look.ts";
import { expect, test } from "./test.ts";

test("a generated secret is shown as soon as it exists, and stays until it is copied or replaced", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const read = Promise.withResolvers<void>();
  let isSaved = false;
  await page.route("**/webhooks/**", async (route) => {
    if (route.request().method() === "POST") isSaved = true;
    else if (isSaved) await read.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/settings/webhooks`);
  const form = page.getByRole("form", { name: "Webhook" });
  const save = form.getByRole("button", { name: "Save", exact: true });
  const secret = form.getByText(/^whsec_/);
  await form.getByLabel("URL").fill("http://127.0.0.1:9/once");
  await save.click();
  await expect(secret).toBeVisible();
  read.resolve();
  await form.getByRole("checkbox", { name: "Send events" }).click();
  await save.click();
  await expect(page.getByText("Webhook saved; it is off", { exact: true })).toBeVisible();
  await expect(secret).toBeVisible();
  await form.getByLabel("Secret", { exact: true }).fill(`whsec_${Buffer.alloc(32, 1).toString("base64")}`);
  await save.click();
  await expect(secret).toBeHidden();
  expect((await api.ask("DELETE", "/webhooks/agent-run")).status).toBe(200);
});

test("a test that is sent while the webhook is being saved loses neither the generated secret nor one typed meanwhile", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const held = Promise.withResolvers<void>();
  await page.route("**/webhooks/agent-run", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/settings/webhooks`);
  const form = page.getByRole("form", { name: "Webhook" });
  await form.getByLabel("URL").fill("http://127.0.0.1:9/held");
  const save = form.getByRole("button", { name: "Save", exact: true });
  await save.click();
  await form.getByRole("button", { name: "Send a test" }).click();
  await expect(form.getByRole("status", { name: "Test result" })).toBeVisible();
  await expect(save).toHaveAttribute("aria-busy", "true");
  const own = form.getByLabel("Secret", { exact: true });
  await own.fill("whsec_typed");
  held.resolve();
  await expect(form.getByText(/^whsec_/)).toBeVisible();
  await expect(own).toHaveValue("whsec_typed");
  expect((await api.ask("DELETE", "/webhooks/agent-run")).status).toBe(200);
});

test("a webhook is not deleted while it is being saved, and a save keeps the result of a test in progress", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  expect((await api.ask("POST", "/webhooks/agent-run", { url: "http://127.0.0.1:9/first" })).status).toBe(200);
  const [saved, tested] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/webhooks/endpoints/*", async (route) => {
    if (route.request().method() === "PATCH") await saved.promise;
    await route.continue();
  });
  await page.route("**/webhooks/agent-run/test", (route) => tested.promise.then(() => route.continue()));
  await page.goto(`${product.url}/settings/webhooks`);
  const form = page.getByRole("form", { name: "Webhook" });
  const remove = form.getByRole("button", { name: "Delete" });
  await form.getByRole("button", { name: "Send a test" }).click();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await remove.press("Enter");
  await expect(remove).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  saved.resolve();
  await expect(page.getByText("Webhook saved", { exact: true })).toBeVisible();
  tested.resolve();
  await expect(form.getByRole("status", { name: "Test result" })).toBeVisible();
  await remove.click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(remove).toHaveCount(0);
  expect((await api.ask("GET", "/webhooks/agent-run")).body.url).toBeNull();
});

test("another webhook is added with its secret, events and description, tested with its secret, and deleted", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  expect((await api.ask("POST", "/webhooks/agent-run", { url: "http://127.0.0.1:9/first" })).status).toBe(200);
  await page.goto(`${product.url}/settings/webhooks`);
  await page.getByRole("form", { name: "Webhook" }).getByLabel("URL").fill("http://127.0.0.1:9/typed");
  await page.getByRole("button", { name: "Add a webhook" }).click();
  const added = page.getByRole("form", { name: "New webhook" });
  await expect(added.getByLabel("URL")).toBeFocused();
  await added.getByLabel("URL").fill("http://127.0.0.1:9/second");
  await added.getByLabel("Description").fill("Deployments");
  await added.getByRole("checkbox", { name: "A run starts" }).click();
  await added.getByRole("button", { name: "Save", exact: true }).press("Enter");
  const form = page.getByRole("form", { name: "Webhook http://127.0.0.1:9/second" });
  await expect(form.getByText(/^whsec_/)).toBeVisible();
  await expect(page.locator(":focus").getByRole("form", { name: "Webhook http://127.0.0.1:9/second" })).toBeVisible();
  await inspect(page, "two webhooks");
  await form.getByRole("button", { name: "I have copied it" }).click();
  await form.getByRole("button", { name: "Send a test" }).click();
  await expect(form.getByRole("status", { name: "Test result" })).not.toContainText("not signed");
  const generate = form.getByRole("button", { name: "Generate new secret" });
  await generate.click();
  await expect(form.getByText(/^whsec_/)).toBeVisible();
  // The secret before is still in use.
  await generate.click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await form.getByRole("button", { name: "I have copied it" }).click();
  // The other one is folded, and what was typed there stays.
  const list = page.getByRole("list", { name: "Webhooks" });
  await list.getByRole("button", { name: "http://127.0.0.1:9/first" }).press("Enter");
  const first = page.getByRole("form", { name: "Webhook http://127.0.0.1:9/first" });
  await expect(first.getByLabel("URL")).toHaveValue("http://127.0.0.1:9/typed");
  await form.getByLabel("Description").fill("Dashboards");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(list.getByRole("button", { name: "Dashboards" })).toBeVisible();
  const items = (await api.ask("GET", "/webhooks/endpoints")).body.items as Record<string, unknown>[];
  expect(items.map(({ url, events, description }) => [url, events, description])).toEqual([
    ["http://127.0.0.1:9/first", ["run.finished"], null],
    ["http://127.0.0.1:9/second", ["run.started", "run.finished"], "Dashboards"],
  ]);
  await form.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("form")).toHaveCount(1);
  await expect(page.getByRole("form", { name: "Webhook", exact: true }).getByLabel("URL")).toHaveValue(/typed/);
  expect((await api.ask("DELETE", "/webhooks/agent-run")).status).toBe(200);
});

test("an admin sets the webhook, tests it, sees the end of a run delivered, and redelivers it", {
  tag: "@short",
}, async ({ signedIn: page, product }) => {
  const heard: { type: string; id: string; url: unknown }[] = [];
  let ready = Promise.resolve();
  const target = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString());
    heard.push({ type, id: String(request.headers["webhook-id"]), url: data.web_url });
    await ready;
    response.end("thank you");
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}/errand`;
  try {
    await page.goto(`${product.url}/settings/tokens`);
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Webhooks" }).click();
    const form = page.getByRole("form", { name: "Webhook" });
    await form.getByLabel("URL").fill("http://10.0.0.1/hook");
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByText("leads to a private network")).toBeVisible();
    await form.getByLabel("URL").fill(address);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByText(/^whsec_/)).toBeVisible();
    await form.getByRole("button", { name: "I have copied it" }).click();
    await expect(form.getByText(/^whsec_/)).toBeHidden();
    await form.getByRole("button", { name: "Send a test" }).click();
    const result = form.getByRole("status", { name: "Test result" });
    await expect(result.getByText("Delivered")).toBeVisible();
    await expect(result.getByText("thank you")).toBeVisible();

    const api = await ApiClient.create(product);
    const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Elsewhere", agent: "external" });
    await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "Done" });
    const row = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem").first();
    await expect(row.getByText("Delivered")).toBeVisible();
    await expect(row.getByRole("link", { name: `Run #${run.id}` })).toHaveAttribute("href", `/runs/${run.id}`);
    await row.getByText("Response", { exact: true }).click();
    await expect(row.getByText("thank you")).toBeVisible();
    // Sent again, it leaves the filtered list until the target has answered.
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Delivered" }).click();
    await expect(page).toHaveURL(/state=delivered/);
    const answering = Promise.withResolvers<void>();
    ready = answering.promise;
    await row.getByRole("button", { name: "again" }).click();
    await expect(page.getByText("Sending again", { exact: true })).toBeVisible();
    await expect(row).toHaveCount(0);
    await expectFocusIn(page.getByRole("region", { name: "Deliveries" }));
    answering.resolve();
    await expect(row.getByText("2 attempts")).toBeVisible();
    const ends = () => heard.filter(({ type }) => type === "run.finished");
    // An attempt counts from its start, so it may not have arrived yet.
    await expect.poll(() => ends().map(({ id }) => id)).toEqual([ends()[0]?.id, ends()[0]?.id]);
    expect(ends()[0]?.url).toBe(`${product.url}/runs/${run.id}`);

    await form.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(form.getByRole("button", { name: "Delete" })).toBeHidden();
    await expect.poll(async () => (await api.ask("GET", "/webhooks/agent-run")).body.url).toBe(null);
  } finally {
    target.closeAllConnections();
    target.close();
  }
});
