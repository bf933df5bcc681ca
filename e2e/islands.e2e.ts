import type { Page, Route } from "@playwright/test";
import { ApiClient } from "./api.ts";
import type { Product } from "./product.ts";
import { expect, test } from "./test.ts";

test("clicks and keys before their chunk has loaded are handled once it has", async ({ signedIn: page, product }) => {
  const release = await openHeld(page, product);
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeVisible();

  const field = page.getByRole("textbox", { name: "Leave a message for the external agent" });
  await field.fill("Go on");
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  await filter.click();
  const raw = page.getByRole("button", { name: "Step 1 as stored" });
  await raw.focus();
  await page.keyboard.press("Enter");
  await expect(filter).toHaveAttribute("aria-expanded", "false");
  await expect(raw).toHaveAttribute("aria-pressed", "false");
  release();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
  await expect(raw).toHaveAttribute("aria-pressed", "true");
  await expect(field).toHaveValue("Go on");
  await expect(page.getByRole("button", { name: /^Continue/ })).toBeEnabled();
});

test("a group opened by a key before its chunk has loaded opens once it has", async ({ signedIn: page, product }) => {
  const read = { message_type: "ACTION", tool_name: "read", tool_output: { status: "completed", output: "x" } };
  const paths = ["lib/a.ts", "lib/b.ts"];
  const release = await openHeld(page, product, [
    ...paths.map((file_path) => ({ ...read, tool_input: { file_path } })),
    { message_type: "FINAL_ANSWER", observation: "All is well" },
  ]);
  const group = page.getByRole("button", { name: /^Explored 2 files/ });
  await expect(group).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("j");
  await expect(page.getByRole("article", { name: /^Steps 1 to 2/ })).toBeFocused();
  await page.keyboard.press("e");
  await expect(group).toHaveAttribute("aria-expanded", "false");
  release();
  await expect(group).toHaveAttribute("aria-expanded", "true");
});

test("a key that the page does not know does not keep those after it from being handled", async ({
  signedIn: page,
  product,
}) => {
  const release = await openWithoutScripts(page, await shownRun(product));
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeVisible();
  await page.keyboard.type(" t j");
  release();
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeFocused();
});

test("a search opened before its chunk has loaded opens with the typed text", async ({ signedIn: page, product }) => {
  const release = await openHeld(page, product);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("all is wellx");
  await page.keyboard.press("Backspace");
  release();
  const field = page.getByRole("textbox", { name: "Find in this run" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("all is well");
  await expect(page.getByText("1 / 1", { exact: true })).toBeVisible();
});

test("the person's menu opens by click and by key while later scripts are loading", async ({
  signedIn: page,
  product,
}) => {
  const trigger = page.getByRole("button", { name: /, your menu$/ });
  for (const open of [() => trigger.click(), () => trigger.press("Enter")]) {
    const release = await openHeld(page, product);
    await open();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveClass(/\bdark\b/);
    await trigger.press("Enter");
    await page.getByRole("menuitemradio", { name: "System" }).press("Enter");
    await expect(page.locator("html")).not.toHaveClass(/\bdark\b/);
    release();
  }
});

test("clicks and keys before any script has run are handled once one has", async ({ signedIn: page, product }) => {
  const run = await shownRun(product);
  let release = await openWithoutScripts(page, run);
  const raw = page.getByRole("button", { name: "Step 1 as stored" });
  await raw.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  release();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
  await expect(raw).toHaveAttribute("aria-pressed", "true");

  release = await openWithoutScripts(page, run);
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  release();
  await expect(page.getByRole("article").filter({ hasText: "All is well" })).toBeFocused();

  release = await openWithoutScripts(page, run);
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeVisible();
  await page.keyboard.type("/is well");
  release();
  await expect(page.getByRole("textbox", { name: "Find in this run" })).toHaveValue("is well");
  await expect(page.getByText("1 / 1", { exact: true })).toBeVisible();

  release = await openWithoutScripts(page, `${product.url}/runs/new`);
  // A prompt with a step of its own: without one, the run would survey Errand's checkout and run all its tests.
  await page.getByRole("textbox", { name: "Prompt" }).fill("Typed early\n```sh\ntrue\n```");
  await page.getByRole("button", { name: "Start run" }).click();
  release();
  await expect(page).toHaveURL(/\/runs\/\d+$/);
  await expect(page.getByRole("heading", { name: "Typed early" })).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();
});

test("what is pressed before any script has run stays in view, although the reader was elsewhere before the reload", async ({
  signedIn: page,
  product,
}) => {
  const steps = Array.from({ length: 90 }, (_, place) => ({
    message_type: "PLAN_EVALUATION",
    thought: `Thought ${place + 1}`,
  }));
  await page.goto(await shownRun(product, [...twoSteps, ...steps]));
  await page.getByRole("slider", { name: "Position in the run" }).press("End");
  await expect.poll(() => page.evaluate(() => window.history.state?.errandPlace)).toBe("end");
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  const raw = page.getByRole("button", { name: "Step 1 as stored" });
  await raw.press("Enter");
  release();
  await expect(raw).toHaveAttribute("aria-pressed", "true");
  await expect(raw).toBeFocused();
  await expect(raw).toBeInViewport();
});

test("what a live run is scrolled to before any script has run stays in view", async ({ signedIn: page, product }) => {
  const address = await shownRun(product, longThoughts(60), { isLive: true });
  const release = await openWithoutScripts(page, address);
  const step = page.getByRole("article", { name: /^Step 58,/ });
  await step.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await expect(step).toBeInViewport();
  release();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
  await expect(step).toBeInViewport();
});

test("a live run whose end was scrolled to before any script has run is followed", async ({
  signedIn: page,
  product,
}) => {
  const address = await shownRun(product, longThoughts(60), { isLive: true });
  const release = await openWithoutScripts(page, address);
  const last = page.getByRole("article", { name: /^Step 60,/ });
  await last.evaluate((element) => element.scrollIntoView({ block: "end" }));
  release();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
  await page.keyboard.press("Escape");
  const api = await ApiClient.create(product);
  await api.ask("POST", `/agent/run/${address.split("/").at(-1)}/logs`, { entries: longThoughts(1) });
  await expect(page.getByRole("article", { name: /^Step 61,/ })).toBeInViewport();
});

test("on a page slowed to a quarter, a prompt typed and sent as soon as the form is visible starts its run", async ({
  signedIn: page,
  product,
}) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(`${product.url}/runs/new`, { waitUntil: "commit" });
  // Neither waits for React.
  await page.getByRole("textbox", { name: "Prompt" }).fill("Typed on a slow machine\n```sh\ntrue\n```");
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(page).toHaveURL(/\/runs\/\d+$/);
  await expect(page.getByRole("heading", { name: "Typed on a slow machine" })).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();
});

test("a chunk that fails to load is reported, and its keys are left to the browser", async ({
  signedIn: page,
  product,
}) => {
  const address = await shownRun(product);
  const { promise: refused, resolve } = Promise.withResolvers<void>();
  await meetLaterScripts(page, address, async (route) => {
    await route.abort();
    resolve();
  });
  await page.goto(address);
  await refused;
  const alert = page.getByRole("alert").filter({ hasText: "Part of this page could not be loaded." });
  await expect(alert).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeVisible();
  await page.evaluate(() =>
    window.addEventListener("keydown", (event) => {
      document.body.dataset[`prevented_${event.key}`] = String(event.defaultPrevented);
    }),
  );
  // Other parts may fail before the search does; until then the key still opens it.
  await expect(async () => {
    await page.keyboard.press("Control+f");
    await expect(page.locator("body")).toHaveAttribute("data-prevented_f", "false", { timeout: 500 });
  }).toPass();
  await page.unroute("**/_next/static/chunks/*.js");
  await alert.getByRole("button", { name: "Reload the page" }).click();
  await expect(alert).toBeHidden();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
});

test("a part whose script cannot be loaded leaves the rest of the page, and is loaded when it is opened again", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(await shownRun(product));
  const share = page.getByRole("button", { name: "Share" });
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  await filter.click();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/chunks/*.js", (route) => route.abort());
  await share.click();
  const alert = page.getByRole("alert").filter({ hasText: "Part of this page could not be loaded." });
  await expect(alert).toBeVisible();
  const field = page.getByRole("textbox", { name: "Leave a message for the external agent" });
  await field.fill("Go on");
  await expect(page.getByRole("article").filter({ hasText: "npm test" })).toBeVisible();
  await page.unroute("**/_next/static/chunks/*.js");
  await page.getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: /^Delete run/ })
    .getByRole("button", { name: "Keep" })
    .click();
  await share.click();
  await expect(page.getByRole("dialog", { name: /^Share run/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field).toHaveValue("Go on");
});

const twoSteps = [
  { message_type: "ACTION", tool_name: "Bash", tool_input: { command: "npm test" }, tool_output: { output: "ok" } },
  { message_type: "FINAL_ANSWER", observation: "All is well" },
];

function longThoughts(count: number): object[] {
  return Array.from({ length: count }, (_, place) => ({
    message_type: "PLAN_EVALUATION",
    thought: Array.from({ length: 8 }, () => `Thought ${place + 1}`).join("\n\n"),
  }));
}

async function shownRun(product: Product, entries: object[] = twoSteps, { isLive = false } = {}): Promise<string> {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Later", agent: "external" });
  await api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
  if (!isLive) await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
  return `${product.url}/runs/${run.id}`;
}

/** Intercepts the scripts that do not come with the page. */
async function meetLaterScripts(page: Page, address: string, meet: (route: Route) => Promise<void>): Promise<void> {
  const html = await (await page.request.get(address)).text();
  await page.route("**/_next/static/chunks/*.js", (route) =>
    html.includes(new URL(route.request().url()).pathname) ? route.continue() : meet(route),
  );
}

/** Opens a page without its scripts. Returns a function that lets them through. */
async function openWithoutScripts(page: Page, address: string): Promise<() => void> {
  const release = await holdScripts(page);
  await page.goto(address, { waitUntil: "commit" });
  return release;
}

/** Holds back the scripts of the page that is opened next. Returns a function that lets them through. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/*.js", (route) => promise.then(() => route.continue()));
  return release;
}

/** Opens a run without its later scripts. Returns a function that lets them through. */
async function openHeld(page: Page, product: Product, entries?: object[]): Promise<() => void> {
  const address = await shownRun(product, entries);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await meetLaterScripts(page, address, (route) => promise.then(() => route.continue()));
  await page.goto(address);
  return release;
}
