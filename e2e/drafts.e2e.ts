import { ApiClient } from "./api.ts";
import { expect, signIn, test } from "./test.ts";

test("a message sent from one tab does not come back from another, which keeps what is written there", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Drafts", agent: "external" });
  const address = `${product.url}/runs/${run.id}`;
  const fieldOf = (tab: typeof page) => tab.locator("[data-composer]").getByRole("textbox");
  const stored = () => page.evaluate((key) => localStorage.getItem(key), `errand.draft.run.${run.id}`);
  await page.goto(address);
  await fieldOf(page).fill("Deploy it");
  await expect.poll(stored).toBe("Deploy it");
  const [other, third] = [await page.context().newPage(), await page.context().newPage()];
  for (const tab of [other, third]) {
    await tab.goto(address);
    await expect(fieldOf(tab)).toHaveValue("Deploy it");
  }
  await fieldOf(third).fill("Deploy it later");
  await expect.poll(stored).toBe("Deploy it later");
  await expect(fieldOf(other)).toHaveValue("Deploy it later");

  await fieldOf(page).fill("Deploy it now");
  await fieldOf(page).press("Control+Enter");
  await expect(page.getByRole("feed").getByText("Deploy it now")).toBeVisible();
  await expect(fieldOf(page)).toHaveValue("");
  await expect(fieldOf(other)).toHaveValue("");
  await other.close({ runBeforeUnload: true });
  await expect.poll(stored).toBe(null);
  // Written there and not sent: it stays.
  await fieldOf(third).fill("Tell the others");
  await third.reload();
  await expect(fieldOf(third)).toHaveValue("Tell the others");
  await third.close();
});

test("what one person wrote is not shown to the next one of the browser, and a page left open becomes theirs", async ({
  page,
  product,
}) => {
  const api = await ApiClient.create(product);
  await signIn(page, product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Two people", agent: "external" });
  const composer = page.locator("[data-composer]").getByRole("textbox");
  await page.goto(`${product.url}/runs/${run.id}`);
  await composer.fill("The password is tulip");
  const stored = () => page.evaluate((key) => localStorage.getItem(key), `errand.draft.run.${run.id}`);
  await expect.poll(stored).toBe("The password is tulip");
  const other = await page.context().newPage();
  await other.goto(`${product.url}/runs/new`);
  const prompt = other.getByRole("textbox", { name: "Prompt" });
  await prompt.fill("Mine");

  const { body: invited } = await api.ask("POST", "/invitations", { role: "member" });
  const person = { full_name: "Grace", email: "drafts@example.com", password: "correct horse battery" };
  const joined = await page.request.post(`${product.url}/v1/invitations/${invited.code}/accept`, { data: person });
  expect(joined.status()).toBe(200);
  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(page.getByRole("button", { name: "Grace, your menu" })).toBeVisible();
  await expect.poll(stored).toBe(null);
  await expect(composer).toHaveValue("");
  await expect(other.getByRole("button", { name: "Grace, your menu" })).toBeVisible();
  await expect(prompt).toHaveValue("");
  await other.close();
  const { user } = await joined.json();
  expect((await api.ask("DELETE", `/users/${user.id}`)).status).toBe(200);
});

test("a prompt is there again, however soon its page was left", async ({ signedIn: page, product }) => {
  await page.goto(`${product.url}/runs/new`);
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await expect(prompt).toBeFocused();
  // In one task, so that no pause is long enough.
  await prompt.evaluate((field: HTMLTextAreaElement) => {
    document.execCommand("insertText", false, "Fix the parser");
    document.querySelector<HTMLElement>('nav a[href="/runs"]')?.click();
    return field.value;
  });
  await page.waitForURL(/\/runs$/);
  await page.getByRole("link", { name: "New run" }).first().click();
  await expect(prompt).toHaveValue("Fix the parser");
  await prompt.fill("");
});

test("two queued messages are edited at the same time, and neither loses its text", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const wait = "Wait\n```sh\nsleep 600\n```";
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: wait, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("running");
  for (const prompt of ["First", "Second"]) {
    const sent = await api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt });
    expect(sent.status).toBe(200);
  }
  await page.goto(`${product.url}/runs/${run.id}`);
  const queue = page.getByRole("region", { name: "Queued messages" });
  const edit = queue.getByRole("button", { name: "Edit message" });
  const fields = queue.getByRole("textbox", { name: "Queued message" });
  await edit.first().click();
  await fields.fill("First, with a paragraph");
  await edit.click();
  await expect(fields).toHaveCount(2);
  await expect(fields.first()).toHaveValue("First, with a paragraph");
  await expect(fields.last()).toHaveValue("Second");
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("cancelled");
});

test("an edited message that is being saved is not discarded by Escape, and stays if it could not be saved", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const wait = "Wait\n```sh\nsleep 600\n```";
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: wait, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("running");
  await api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt: "Next" });
  await page.goto(`${product.url}/runs/${run.id}`);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(
    `**/agent/run/${run.id}/queue/2`,
    async (route) => {
      await released;
      await route.abort();
    },
    { times: 1 },
  );
  const queue = page.getByRole("region", { name: "Queued messages" });
  await queue.getByRole("button", { name: "Edit message" }).click();
  const field = queue.getByRole("textbox", { name: "Queued message" });
  await field.fill("Next, with a paragraph");
  await field.press("Control+Enter");
  await field.press("Escape");
  await expect(field).toBeVisible();
  await queue.getByRole("button", { name: "Cancel" }).press("Enter");
  release();
  await expect(queue.getByText("The message was not saved")).toBeVisible();
  await expect(field).toHaveValue("Next, with a paragraph");
  await field.press("Escape");
  await expect(field).toHaveCount(0);
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("cancelled");
});

test("a message sent with the button leaves the focus on it", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Focus", agent: "external" });
  await page.goto(`${product.url}/runs/${run.id}`);
  const composer = page.locator("[data-composer]");
  const [field, send] = [composer.getByRole("textbox"), composer.locator("[type=submit]")];
  await field.fill("Go on");
  await send.focus();
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("");
  await expect(send).toBeDisabled();
  await expect(send).toBeFocused();
});
