import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, largeTraceEntries, test } from "./test.ts";

/** Time limit for counting a word in a long run on a busy machine. */
const counted = { timeout: 60_000 };

test("a text is found anywhere in a long run, and the address names it and its step", { tag: "@short" }, async ({
  signedIn: page,
  product,
  largeTrace,
}) => {
  await page.goto(`${product.url}/runs/${largeTrace.runId}?entry=1`);
  await expect(cardOf(page, 1)).toBeVisible();
  await page.keyboard.press("Control+f");
  const field = fieldOf(page);
  await expect(field).toBeFocused();
  // At 37 percent, once.
  await page.keyboard.type("NEEDLE-37");
  await expect.poll(() => painted(page), counted).toEqual({ text: "needle-37", isSeen: true });
  await expect(page.getByText("1 / 1", { exact: true })).toBeVisible(counted);
  await expect(cardOf(page, 11_101)).toBeVisible();
  await expect.poll(() => page.url()).toContain("entry=11101&find=NEEDLE-37");
  await field.press("Enter");
  await expect(statusOf(page)).toHaveText("1 occurrence in 1 step · no others");

  // In the last step of all.
  await field.fill("needle-end");
  await expect.poll(() => painted(page), counted).toEqual({ text: "needle-end", isSeen: true });
  await expect(cardOf(page, largeTraceEntries)).toBeVisible();
});

test("a second press of the key leaves it to the browser's own search, and closing the search leaves nothing marked", async ({
  signedIn: page,
  product,
  largeTrace,
}) => {
  await page.goto(`${product.url}/runs/${largeTrace.runId}?entry=1&find=needle-end`);
  const field = fieldOf(page);
  await expect.poll(() => painted(page), counted).toEqual({ text: "needle-end", isSeen: true });
  const isPrevented = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        window.addEventListener("keydown", (event) => event.key === "f" && resolve(event.defaultPrevented));
      }),
  );
  await field.press("Control+f");
  expect(await isPrevented).toBe(false);
  await field.press("Escape");
  await expect(field).toBeHidden();
  await expect.poll(() => page.url()).not.toContain("find=");
  expect(await painted(page)).toBeNull();
});

test("a button opens the search too, and gets the focus back", async ({ signedIn: page, product, largeTrace }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(`${product.url}/runs/${largeTrace.runId}`);
  const button = page.getByRole("button", { name: "Find", exact: true });
  await button.click();
  const field = fieldOf(page);
  await expect(field).toBeFocused();
  await field.press("Escape");
  await expect(button).toBeFocused();
});

test("hits are counted and stepped through in both directions, around the ends, and a reload keeps the place", async ({
  signedIn: page,
  product,
  largeTrace,
}) => {
  await page.goto(`${product.url}/runs/${largeTrace.runId}?entry=1&find=lease`);
  const field = fieldOf(page);
  await expect(statusOf(page)).toHaveText(/^[\d,]+ occurrences in [\d,]+ steps$/, counted);
  const total = await placeOf(page);
  expect(total.count).toBeGreaterThan(1000);
  expect(total.place).toBe(1);
  expect(await page.locator("[data-hits] > div").count()).toBeGreaterThan(0);
  const first = await entryOf(page);
  await field.press("Shift+Enter");
  await expect(statusOf(page)).toContainText("wrapped to the last");
  await expect.poll(() => placeOf(page)).toEqual({ place: total.count, count: total.count });
  await field.press("Enter");
  await expect(statusOf(page)).toContainText("wrapped to the first");
  await field.press("Enter");
  await expect.poll(async () => (await placeOf(page)).place).toBe(2);
  await expect.poll(() => entryOf(page)).toBeGreaterThan(first);
  await expect.poll(async () => (await painted(page))?.isSeen).toBe(true);

  const place = await entryOf(page);
  await page.reload();
  await expect(field).toHaveValue("lease");
  await expect.poll(async () => (await painted(page))?.isSeen, counted).toBe(true);
  expect(await entryOf(page)).toBe(place);
  await expect(cardOf(page, place)).toBeVisible();
});

test("whatever hides a hit opens (folds, pages of 10 MB, values, lines, cut text) and closes again", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, line) =>
      line === count >> 1 ? `here is the ${word}` : `line ${line} of many`,
    ).join("\n");
  const id = await reportedRun(api, [
    action("Bash", { command: "make" }, { status: "completed", output: lines(300, "badger") }),
    action("Bash", { command: "cat" }, { status: "completed", output: lines(500_000, "badger") }),
    action(
      "Lookup",
      {},
      { status: "completed", result: { a: { b: { c: { d: ["x", { deep: "a Badger in JSON" }] } } } } },
    ),
    { message_type: "PLAN_EVALUATION", thought: `${"A long thought. ".repeat(300)} The badger thinks.` },
    action("Read", { file_path: "/srv/a.ts" }, { status: "completed", output: lines(900, "badger") }),
    action("Bash", { command: `${"a".repeat(300)} && badger` }, { status: "completed", output: "" }),
    action("Bash", { command: "true" }, { status: "completed", hidden: 1, output: "", diffs: [{ kind: "badger" }] }),
    action("Bash", { command: "true", purpose: "badger" }, { status: "completed", output: "" }),
    action("TodoWrite", { todos: [{ content: "x", status: "completed", activeForm: "badger" }] }, { output: "" }),
  ]);
  await page.goto(`${product.url}/runs/${id}?entry=1`);
  await expect(cardOf(page, 1)).toBeVisible();
  await page.keyboard.press("/");
  const field = fieldOf(page);
  await field.fill("badger");
  await expect(statusOf(page)).toHaveText(/^9 occurrences in 9 steps/, counted);
  const folded = cardOf(page, 1).getByRole("button", { name: "Show all 300 lines" });
  for (const seq of [1, 2, 3, 4, 5, 6, 7, 8]) {
    await expect.poll(() => entryOf(page)).toBe(seq);
    await expect.poll(() => painted(page)).toEqual({ text: seq === 3 ? "Badger" : "badger", isSeen: true });
    if (seq === 1) await expect(folded).toBeHidden();
    await field.press("Enter");
  }
  // For a hit in a field that the card does not show there is a notice.
  await expect(page.getByText("which the card does not show")).toBeVisible();
  await field.press("Enter");
  await expect.poll(() => entryOf(page)).toBe(1);
  await field.press("Enter");
  await expect.poll(() => entryOf(page)).toBe(2);
  await expect(folded).toBeAttached();
});

test("a long output has its own search, which keeps the focus", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const row = "compiling the module with all its parts\n";
  const output = `${row.repeat(125_000)}the first Otter\n${row.repeat(125_000)}an otter and an otter\n`;
  const id = await reportedRun(api, [action("Bash", { command: "make" }, { status: "completed", output })]);
  await page.goto(`${product.url}/runs/${id}`);
  const button = page.getByRole("button", { name: "Search in output" });
  await button.focus();
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Search in this output" });
  await expect(field).toBeFocused();
  await page.keyboard.type("otter");
  await expect(page.getByText("1 / 3", { exact: true })).toBeVisible(counted);
  await expect.poll(() => painted(page)).toEqual({ text: "Otter", isSeen: true });
  await field.press("Shift+Enter");
  await expect(page.getByText("3 / 3", { exact: true })).toBeVisible();
  await expect.poll(() => painted(page)).toEqual({ text: "otter", isSeen: true });
  await expect(page.getByText(/lines 250,001–250,002 of 250,002/)).toBeAttached();
  await field.press("Escape");
  await expect(button).toBeFocused();
  expect(await painted(page)).toBeNull();
});

test("the count continues while a run grows, and new hits are reached", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Growing", agent: "external" });
  const append = async (word: string) => {
    const entries = [{ message_type: "PLAN_EVALUATION", thought: `A step with ${word}` }];
    expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
  };
  await append("a walrus");
  await page.goto(`${product.url}/runs/${run.id}?find=walrus`);
  await expect(statusOf(page)).toHaveText("1 occurrence in 1 step", counted);
  await append("nothing");
  await append("another walrus");
  await expect(statusOf(page)).toHaveText("2 occurrences in 2 steps", counted);
  await fieldOf(page).press("Enter");
  await expect.poll(() => entryOf(page)).toBe(3);
  await expect(page.getByText("2 / 2", { exact: true })).toBeVisible();
});

test("with a filter only the steps shown are counted and reached", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const step = (output: string) => action("Bash", { command: "true" }, { status: "completed", output });
  const plan = { message_type: "PLAN_EVALUATION", thought: "the heron" };
  const id = await reportedRun(api, [step("a heron"), plan, step("heron"), plan, step("none")]);
  await page.goto(`${product.url}/runs/${id}?type=PLAN_EVALUATION&find=heron`);
  await expect(statusOf(page)).toHaveText("2 steps that the filter shows", counted);
  await expect.poll(() => entryOf(page)).toBe(2);
  await expect.poll(() => painted(page)).toEqual({ text: "heron", isSeen: true });
  await fieldOf(page).press("Enter");
  await expect.poll(() => entryOf(page)).toBe(4);
  await fieldOf(page).press("Enter");
  await expect.poll(() => entryOf(page)).toBe(2);
  await page.goto(`${product.url}/runs/${id}?find=heron`);
  await expect(statusOf(page)).toHaveText("4 occurrences in 4 steps", counted);
});

test("who turns to another field, or presses Escape, before the search has loaded has given it up", async ({
  signedIn: page,
  product,
}) => {
  const id = await reportedRun(await ApiClient.create(product), [{ message_type: "PLAN_EVALUATION", thought: "it" }]);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("Find in this run")) await promise;
    await route.fulfill({ response });
  });
  await page.goto(`${product.url}/runs/${id}`);
  const message = page.getByRole("textbox", { name: "Leave a message for the external agent" });
  await expect(page.locator("[data-island]").filter({ has: message })).toHaveCount(0);
  await page.keyboard.press("Control+f");
  await message.click();
  await page.keyboard.type("please fix");
  await expect(message).toHaveValue("please fix");
  await page.keyboard.press("Control+f");
  await page.keyboard.type("npm");
  await page.keyboard.press("Escape");
  await expect(message).toBeFocused();
  await page.keyboard.type(" it");
  await expect(message).toHaveValue("please fix it");
  release();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Filter the steps" })).toBeVisible();
  await expect(fieldOf(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await message.press("Control+f");
  await expect(fieldOf(page)).toBeFocused();
  await expect(message).toHaveValue("please fix it");
  // Scripts that are still being fetched are of no interest.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("Escape that ends a composition leaves the search open", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Compose", agent: "external" });
  await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: [{ message_type: "PLAN_EVALUATION", thought: "一" }] });
  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(cardOf(page, 1)).toBeVisible();
  await page.keyboard.press("/");
  await expect(fieldOf(page)).toBeFocused();
  const pressed = { key: "Escape", bubbles: true, cancelable: true };
  await fieldOf(page).dispatchEvent("keydown", { ...pressed, isComposing: true });
  await fieldOf(page).pressSequentially("一");
  await expect(fieldOf(page)).toHaveValue("一");
  await fieldOf(page).dispatchEvent("keydown", pressed);
  await expect(fieldOf(page)).toHaveCount(0);
});

async function reportedRun(api: ApiClient, entries: object[]): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Find", agent: "external" });
  expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
  return Number(run.id);
}

function action(tool_name: string, tool_input: object, tool_output: object) {
  return { message_type: "ACTION", tool_name, tool_input, tool_output };
}

function fieldOf(page: Page) {
  return page.getByRole("textbox", { name: "Find in this run" });
}

function statusOf(page: Page) {
  return page.getByRole("search", { name: "This run" }).getByRole("status");
}

function cardOf(page: Page, seq: number) {
  return page.locator(`article[data-seq="${seq}"][tabindex]`);
}

/** The text painted as the current hit, and whether it is in view; null if there is none. */
function painted(page: Page): Promise<{ text: string; isSeen: boolean } | null> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get("find-current")?.keys() ?? [])];
    if (!(range instanceof Range)) return null;
    const { top, bottom } = range.getBoundingClientRect();
    return { text: range.toString(), isSeen: top > 0 && bottom > top && bottom < window.innerHeight };
  });
}

async function entryOf(page: Page): Promise<number> {
  return Number(new URL(page.url()).searchParams.get("entry"));
}

async function placeOf(page: Page): Promise<{ place: number; count: number }> {
  const text = await page.getByText(/^[\d,]+ \/ [\d,]+$/).innerText();
  const [place = 0, count = 0] = text.split("/").map((part) => Number(part.replaceAll(",", "")));
  return { place, count };
}
