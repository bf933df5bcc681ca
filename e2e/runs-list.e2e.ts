import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

test("on a phone all filters of the runs have one size, which keeps iOS from zooming into them", async ({
  browser,
  session,
  product,
}) => {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
  await context.addCookies(session);
  const page = await context.newPage();
  await page.goto(`${product.url}/runs`);
  const filters = page.getByRole("search", { name: "Runs" });
  const controls = filters.getByRole("searchbox").or(filters.getByRole("combobox")).or(filters.getByRole("button"));
  await expect(controls).toHaveCount(4);
  const sizes = await controls.evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
  expect(sizes).toEqual(Array(4).fill("16px"));
  await context.close();
});

test("runs that are shown stay up to date although the rest of the list could not be loaded", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const begin = async () =>
    (await api.ask("POST", "/agent/run", { prompt: "One of many", agent: "external" })).body.id as number;
  const ids: number[] = [];
  while (ids.length < 51) ids.push(await begin());
  await page.route(/\/agent\/runs\?.*created_before=/, (route) => route.abort());
  await page.goto(`${product.url}/runs?agent=external&status=running`);
  const rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await rows.last().scrollIntoViewIfNeeded();
  await expect(page.getByRole("alert").filter({ hasText: "The rest could not be loaded" })).toBeVisible();
  await api.ask("PATCH", `/agent/run/${ids.at(-1)}`, { status: "completed" });
  await expect(rows.first()).toContainText("Completed");
  for (const id of ids) await api.ask("PATCH", `/agent/run/${id}`, { status: "completed" });
});

test("a list that could not be updated says so, still loads further pages, and is updated when asked to", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const begin = async () =>
    (await api.ask("POST", "/agent/run", { prompt: "Not updated", agent: "external" })).body.id as number;
  const ids: number[] = [];
  while (ids.length < 51) ids.push(await begin());
  const polls = /\/agent\/runs\?(?!.*skip=)/;
  await page.clock.install();
  await page.route(polls, (route) => route.fulfill({ status: 400, json: { error: "Not now" } }));
  await page.goto(`${product.url}/runs?q=Not+updated`);
  const rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  const failure = page.getByRole("alert").filter({ hasText: "The list could not be updated" });
  await expect(failure).toBeVisible();
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(51);
  await api.ask("PATCH", `/agent/run/${ids.at(-1)}`, { status: "completed" });
  // The next poll would come by itself.
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.unroute(polls);
  const updated = page.waitForResponse(polls);
  await failure.getByRole("button", { name: "Try again" }).click();
  await updated;
  await expect(async () => {
    await page.clock.runFor(1);
    await expect(rows.first()).toContainText("Completed", { timeout: 100 });
    await expect(failure).toHaveCount(0, { timeout: 100 });
  }).toPass();
  for (const id of ids) await api.ask("PATCH", `/agent/run/${id}`, { status: "completed" });
});

test("a run further down that ended and was resumed from its page is at work in the list that the person comes back to", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const ids: number[] = [];
  while (ids.length < 52) {
    ids.push(
      (await api.ask("POST", "/agent/run", { prompt: "Deep in the list", agent: "external" })).body.id as number,
    );
  }
  const runId = ids[0];
  // Polls of the list, unlike its pages, skip no rows.
  let held: Promise<void> = Promise.resolve();
  await page.route(/\/agent\/runs\?(?!.*skip=)/, async (route) => {
    await held;
    // A poll of the list that was left is over.
    await route.continue().catch(() => {});
  });
  await page.goto(`${product.url}/runs?q=Deep+in+the+list`);
  const rows = page.getByRole("list", { name: "Runs" }).getByRole("listitem");
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(52);
  await api.ask("PATCH", `/agent/run/${runId}`, { status: "completed" });
  await expect(rows.last()).toContainText("Completed");
  const { promise, resolve: release } = Promise.withResolvers<void>();
  held = promise;

  await rows.last().getByRole("link").click();
  const message = page.getByRole("textbox", { name: "Leave a message for the external agent" });
  await message.fill("Go on");
  await message.press("Control+Enter");
  await expect(page.getByRole("feed").getByText("Go on")).toBeVisible();
  const reloaded = page.waitForResponse(/\/agent\/runs\?.*created_before=/);
  await page.goBack();
  await reloaded;
  release();
  await expect(rows.last()).toContainText("Running");
  for (const id of ids) await api.ask("PATCH", `/agent/run/${id}`, { status: "completed" });
});

test("New run begins with the repository that the list is filtered by, by pointer and by key", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const repositories = [];
  for (const name of ["first", "second"])
    repositories.push((await api.ask("POST", "/repos", { source: makeRepository(), name })).body);
  for (const { id, full_name: name } of repositories) {
    const chosen = page.getByRole("combobox", { name: "Repository", exact: true });
    await page.goto(`${product.url}/runs?repo_id=${id}`);
    await expect(chosen).toHaveText(String(name));
    await page.getByRole("main").getByRole("link", { name: "New run" }).click();
    await expect(page).toHaveURL(`${product.url}/runs/new?repo_id=${id}`);
    await expect(chosen).toHaveText(String(name));
    await page.goBack();
    await expect(page).toHaveURL(/\/runs\?/);
    await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
    await page.keyboard.press("n");
    await expect(page).toHaveURL(`${product.url}/runs/new?repo_id=${id}`);
    await expect(chosen).toHaveText(String(name));
  }
});

test("runs of other systems and of setup can be filtered by", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Not by an agent here", agent: "external" });
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
  await page.goto(`${product.url}/runs`);
  const filter = page.getByRole("combobox", { name: "Agent", exact: true });
  const choose = async (name: string) => {
    await expect(async () => {
      await filter.click();
      await page.getByRole("option", { name }).click({ timeout: 1000 });
    }).toPass();
    await expect(filter).toHaveText(name);
  };
  const row = page.getByRole("link", { name: new RegExp(`#${run.id} Not by an agent here`) });
  await choose("External: reported by other systems");
  await expect(row).toBeVisible();
  await choose("Setup of repositories");
  await expect(row).toHaveCount(0);
});
