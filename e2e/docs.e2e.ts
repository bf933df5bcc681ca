// The journeys of the documentation in one file: they share its pages and how a sample and "Try it" are found there.
import { gzipSync } from "node:zlib";
import { ApiClient } from "./api.ts";
import { findings } from "./look.ts";
import { Product } from "./product.ts";
import { expect, test } from "./test.ts";

const runsPage = "/docs/reference/agent-runs";

test("the language of samples is chosen for the whole page, the next page and the next visit", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}${runsPage}`);
  const createRun = page.locator("#createRun");
  const getRun = page.locator("#getRun");
  await expect(createRun.getByText("curl http")).toBeVisible();
  await createRun.getByRole("tab", { name: "Python" }).click();
  for (const section of [createRun, getRun]) {
    await expect(section.getByRole("tab", { name: "Python" })).toHaveAttribute("aria-selected", "true");
    await expect(section.getByText("import urllib.request")).toBeVisible();
    await expect(section.getByText("curl http")).toBeHidden();
  }
  await page.goto(`${product.url}/docs`);
  await expect(page.getByRole("tabpanel").first()).toContainText("from urllib.request import");

  // Right before any script of the page has run.
  const context = await page
    .context()
    .browser()
    ?.newContext({ storageState: await page.context().storageState() });
  const again = await context?.newPage();
  await again?.route("**/*.js", (route) => route.abort());
  await again?.goto(`${product.url}${runsPage}`);
  await expect(again?.locator("#getRun").getByText("import urllib.request") ?? page.locator("none")).toBeVisible();
  await context?.close();
});

test("arrow keys move between tabs, and the chosen tab stays where it is", async ({ page, product }) => {
  await page.goto(`${product.url}${runsPage}#resumeRun`);
  const section = page.locator("#resumeRun");
  const curl = section.getByRole("tab", { name: "curl" });
  await curl.focus();
  const top = async () => (await curl.boundingBox())?.y ?? Number.NaN;
  const before = await top();
  for (const [key, name] of [
    ["ArrowRight", "TypeScript"],
    ["ArrowRight", "Python"],
    ["ArrowRight", "curl"],
    ["End", "Python"],
    ["ArrowLeft", "TypeScript"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(section.getByRole("tab", { name })).toBeFocused();
    await expect(section.getByRole("tab", { selected: true })).toHaveText(name);
    expect(Math.abs((await top()) - before), name).toBeLessThanOrEqual(1);
  }
});

test("a sample is copied as shown, in the chosen language", { tag: "@short" }, async ({ page, product }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${product.url}${runsPage}`);
  const section = page.locator("#listRuns");
  await section.getByRole("tab", { name: "TypeScript" }).click();
  await section.getByRole("button", { name: /^Copy: Request/ }).click();
  await expect(section.getByText("Copied")).toBeAttached();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await section.getByRole("tabpanel").locator("code").innerText());
  expect(copied).toContain("/agent/runs?status=running,waiting&limit=20");
});

test("Try it sends a read with the reader's session and shows status, headers, time and JSON", {
  tag: "@short",
}, async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Shown in the docs", agent: "external" });
  await page.goto(`${product.url}${runsPage}`);
  const section = page.locator("#listRuns");
  await section.getByText("Try it").click();
  await section.getByLabel("limit").fill("1");
  await section.getByLabel("source_type").selectOption("API");
  await section.getByRole("button", { name: "Send" }).click();
  const answer = section.getByRole("region", { name: "Response" });
  await expect(answer).toContainText("200 OK");
  await expect(answer).toContainText("GET /v1/organizations/1/agent/runs?limit=1&source_type=API");
  await expect(answer).toContainText(/\d ms/);
  for (const name of ["X-Request-Id", "RateLimit", "RateLimit-Policy"]) await expect(answer).toContainText(name);
  await expect(answer.locator("pre")).toContainText(`"id": ${run.id}`);
  await expect(answer.getByRole("button", { name: "Copy the response" })).toBeVisible();

  // An error of the service is shown as it is.
  await section.getByLabel("limit").fill("1000");
  await section.getByRole("button", { name: "Send" }).click();
  await expect(answer).toContainText("400 Bad Request");
  await expect(answer.locator("pre")).toContainText('"code": "invalid_parameters"');
  await expect(answer.locator("pre")).toContainText("limit");
});

test("Try it says what is missing before it sends anything", async ({ signedIn: page, product }) => {
  await page.goto(`${product.url}${runsPage}`);
  const get = page.locator("#getRun");
  await get.getByText("Try it").click();
  await get.getByRole("button", { name: "Send" }).click();
  await expect(get.getByText("The path needs agent_run_id.")).toBeVisible();
  const create = page.locator("#createRun");
  await create.getByText("Try it").click();
  await create.getByLabel("Body, as JSON").fill("{prompt: 1}");
  await create.getByRole("button", { name: "Send" }).click();
  await expect(create.getByText(/This is not JSON/)).toBeVisible();
});

test("Try it asks for confirmation before it changes something", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const total = async () => Number((await api.ask("GET", "/agent/runs?limit=1")).body.total);
  const before = await total();
  await page.goto(`${product.url}${runsPage}`);
  const section = page.locator("#createRun");
  await section.getByText("Try it").click();
  const body = section.getByLabel("Body, as JSON");
  const send = section.getByRole("button", { name: "Send", exact: true });
  const sendIt = section.getByRole("button", { name: "Send it" });
  await body.fill('{"prompt":"Not what was meant","agent":"external"}');
  await send.click();
  await expect(section.getByText("POST /v1/organizations/1/agent/run: Start a run.")).toBeVisible();
  await section.getByRole("button", { name: "Cancel" }).click();
  expect(await total()).toBe(before);
  await send.click();
  await expect(sendIt).toBeVisible();
  // What is edited now has to be confirmed again.
  await body.fill('{"prompt":"Started from the docs","agent":"external"}');
  await expect(sendIt).toHaveCount(0);
  await send.click();
  await sendIt.click();
  await expect(section.getByRole("region", { name: "Response" })).toContainText('"prompt": "Started from the docs"');
  expect(await total()).toBe(before + 1);
});

test("Try it shows a stream live until it is stopped", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Followed", agent: "external" });
  await page.goto(`${product.url}/docs/reference/run-logs`);
  const section = page.locator("#streamLogs");
  await section.getByText("Try it").click();
  await section.getByLabel("agent_run_id").fill(String(run.id));
  await section.getByRole("button", { name: "Send" }).click();
  const answer = section.getByRole("region", { name: "Response" });
  await expect(answer.locator("pre")).toContainText("event: run");
  await expect(answer).toContainText("open");
  const entry = { message_type: "PLAN_EVALUATION", thought: "Seen while open" };
  await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: [entry] });
  await expect(answer.locator("pre")).toContainText("Seen while open");
  await section.getByRole("button", { name: "Stop" }).click();
  await expect(section.getByRole("button", { name: "Send" })).toBeEnabled();
  await expect(answer.locator("pre")).toContainText("Seen while open");
});

test("a person who is not signed in is asked to sign in, and harmful operations are never offered", async ({
  page,
  product,
  session,
}) => {
  await page.goto(`${product.url}${runsPage}`);
  const section = page.locator("#getRun");
  await section.getByText("Try it", { exact: true }).click();
  await expect(section.getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    `/login?next=${encodeURIComponent(`${runsPage}#getRun`)}`,
  );
  await expect(section.getByRole("button", { name: "Send" })).toHaveCount(0);
  await page.context().addCookies(session);
  for (const [path, id] of [
    ["tokens", "deleteToken"],
    ["people", "removeMember"],
    ["session", "signOut"],
  ]) {
    await page.goto(`${product.url}/docs/reference/${path}`);
    await page.locator(`#${id}`).getByText("Try it").click();
    await expect(page.locator(`#${id}`).getByText(/^Not available here/)).toBeVisible();
    await expect(page.locator(`#${id}`).getByRole("button", { name: "Send" })).toHaveCount(0);
  }
});

test("every link of the documentation leads to an existing place", async ({ page, product }) => {
  const read = async (path: string) => {
    const response = await page.request.get(product.url + path);
    expect(response.status(), path).toBe(200);
    return await response.text();
  };
  const guide = await read("/docs");
  const paths = new Set([...guide.matchAll(/ href="(\/docs[^"#]*)/g)].map(([, path]) => path ?? ""));
  expect(paths.size).toBeGreaterThan(12);
  const pages = new Map<string, string>();
  for (const path of paths) pages.set(path, await read(path));
  const ids = new Map(
    [...pages].map(([path, html]) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead: string[] = [];
  for (const [path, html] of pages) {
    for (const [, target = path, place] of html.matchAll(/ href="(\/docs[^"#]*)?#([^"]+)"/g)) {
      if (!ids.get(target)?.has(place)) dead.push(`${path}: ${target}#${place}`);
    }
  }
  expect(dead).toEqual([]);
  // Addresses from before the reference had pages: the guide has a line for each operation.
  for (const id of ["createRun", "listAgents", "webhooks", "mcp"]) expect(ids.get("/docs")).toContain(id);
  expect((await page.request.get(`${product.url}/docs/reference`)).url()).toBe(`${product.url}/docs#operations`);
  expect((await page.request.get(`${product.url}/docs/reference/nothing`)).status()).toBe(404);
});

test("limits are shown as set on this installation", async ({ page }) => {
  const settings = { ERRAND_QUEUE_MAX: "7", ERRAND_TURN_SECONDS: "5400", ERRAND_RATE_STANDARD: "61" };
  const product = await Product.start(settings);
  try {
    await page.goto(`${product.url}/docs`);
    await expect(page.getByRole("row", { name: /^Queued runs per organization 7, otherwise 429/ })).toBeVisible();
    await expect(page.getByRole("row", { name: /^Time per turn 1h 30m/ })).toBeVisible();
    await expect(page.getByRole("row", { name: /^standard 61 in 30 s/ })).toBeVisible();
    await page.goto(`${product.url}/docs/reference/agent-runs#getRun`);
    await expect(page.locator("#getRun")).toContainText("standard: 61 in 30 s");
  } finally {
    await product.stop();
  }
});

test("the script of the documentation stays small: forms come when they are opened", async ({
  signedIn: page,
  product,
}) => {
  await page.goto("about:blank");
  const loaded = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") loaded.add(request.url());
  });
  const response = await page.goto(`${product.url}${runsPage}`);
  await page.waitForLoadState("networkidle");
  let size = 0;
  for (const url of loaded) size += gzipSync(await (await page.request.get(url)).body(), { level: 9 }).length;
  expect(loaded.size).toBeGreaterThan(3);
  // With Radix's tooltip, as on every page (docs/decisions/0009).
  expect(size).toBeLessThanOrEqual(190 * 1024);
  // The page grows with the operations it describes, and with nothing else.
  const operations = await page.locator("section[id][aria-labelledby$='-title']").count();
  expect(operations).toBeGreaterThan(15);
  expect(gzipSync((await response?.body()) ?? "").length / operations).toBeLessThanOrEqual(3.2 * 1024);
  const before = loaded.size;
  await page.locator("#getRun").getByText("Try it").click();
  await expect(page.locator("#getRun").getByRole("button", { name: "Send" })).toBeVisible();
  expect(loaded.size).toBeGreaterThan(before);
});

test("Try it, its confirmation and its answer are free of serious findings of axe", async ({
  signedIn: page,
  product,
}) => {
  for (const [colorScheme, width] of [
    ["light", 1440],
    ["dark", 375],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${product.url}/docs/reference/changes-and-pull-requests`);
    const section = page.locator("#editPullRequest");
    await section.getByText("Try it").click();
    await section.getByLabel("pr_id").fill("1");
    await section.getByRole("button", { name: "Send" }).click();
    expect(await findings(page, { part: "#editPullRequest" })).toEqual([]);
    await section.getByRole("button", { name: "Send it" }).click();
    await expect(section.getByRole("region", { name: "Response" })).toContainText("404");
    expect(await findings(page, { part: "#editPullRequest" })).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});
