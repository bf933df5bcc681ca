import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test, largeTraceEntries as total } from "./test.ts";
import { cardOf, focusedPlace } from "./trace-cards.ts";

const thousands = (count: number) => count.toLocaleString("en-US");

test("consecutive reads are one line that opens and folds, alone and all together, and a link opens the group of its step", {
  tag: "@short",
}, async ({ signedIn: page, product, largeTrace: { runId } }) => {
  const api = await ApiClient.create(product);
  const first = await firstPair(api, runId);
  const trace = `${product.url}/runs/${runId}`;
  await page.goto(`${trace}?entry=${first - 1}`);
  const line = page.getByRole("article", { name: new RegExp(`^Steps ${first} to `) });
  await expect(line).toBeVisible();
  await expect(cardOf(page, first + 1)).toHaveCount(0);
  await expect(line.getByRole("button", { expanded: false })).toContainText("Explored 2 files");

  await line.getByRole("button", { expanded: false }).click();
  await expect(cardOf(page, first + 1)).toBeVisible();
  await page.keyboard.press("e");
  await expect(cardOf(page, first + 1)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Explored 2 files/ }).first()).toBeFocused();
  await page.keyboard.press("x");
  await expect(cardOf(page, first + 1)).toBeAttached();
  await page.keyboard.press("x");
  await expect(cardOf(page, first + 1)).toHaveCount(0);

  await page.goto(`${trace}?entry=${first + 1}`);
  await expect(cardOf(page, first + 1)).toBeVisible();
  await expect(cardOf(page, first + 1)).toHaveAttribute("data-marked", "true");
});

test("keys go past a folded group, open a card and copy its link", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const api = await ApiClient.create(product);
  const first = await firstPair(api, runId);
  await page.goto(`${product.url}/runs/${runId}?entry=${first - 1}`);
  await expect(cardOf(page, first - 1)).toBeVisible();
  for (const place of [first - 1, first]) {
    await page.keyboard.press("j");
    await expect.poll(() => focusedPlace(page)).toBe(place);
  }
  await page.keyboard.press("j");
  const after = await focusedPlaceOtherThan(page, first);
  expect(after).toBeGreaterThan(first + 1);
  await page.keyboard.press("k");
  await expect.poll(() => focusedPlace(page)).toBe(first);

  await page.keyboard.press("e");
  await expect(cardOf(page, first + 1)).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.getByText(`Link to step ${first} copied`).first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${product.url}/runs/${runId}?entry=${first}`);
  expect(page.url()).toBe(link);

  // The first message is folded because it is long.
  await page.keyboard.press("g");
  await expect.poll(() => focusedPlace(page)).toBe(1);
  await page.keyboard.press("e");
  await expect(cardOf(page, 1).getByRole("button", { name: "Show less" })).toBeVisible();
  await page.keyboard.press("e");
  await expect(cardOf(page, 1).getByRole("button", { name: "Show all" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Collapse or expand all groups");
});

test("a reload and going back return to where the reader was, and the density is set before the first paint", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}`);
  await expect(cardOf(page, 1)).toBeVisible();
  await page.getByRole("slider", { name: "Position in the run" }).press("PageDown");
  const place = () => page.getByRole("slider", { name: "Position in the run" }).getAttribute("aria-valuenow");
  await expect.poll(place).toBe("1501");
  await expect.poll(() => page.evaluate(() => window.history.state?.errandPlace)).toBe(1501);
  await page.reload();
  await expect.poll(place).toBe("1501");
  await page.getByRole("button", { name: "Thoughts and answers" }).click();
  await expect(page.locator("[data-filter-count]")).toContainText(`of ${thousands(total)}`);
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();
  await page.goBack();
  await expect(page.locator("[data-filter-count]")).toContainText(`of ${thousands(total)}`);
  await expect.poll(async () => Number(await place())).toBeGreaterThanOrEqual(1501);
  expect(Number(await place())).toBeLessThan(1520);
  await page.goBack();
  await expect.poll(place).toBe("1501");

  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  // A tool's result is one click away.
  await page.getByRole("button", { name: "Show the result" }).first().click();
  await expect(page.getByRole("button", { name: "Hide the result" }).first()).toBeVisible();
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.dataset.early = document.documentElement.dataset.density;
    });
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-early", "compact");
});

test("what is written to the address keeps the place that going back returns to", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}`);
  await expect(cardOf(page, 1)).toBeVisible();
  const map = page.getByRole("slider", { name: "Position in the run" });
  await map.press("PageDown");
  const kept = () => page.evaluate(() => window.history.state?.errandPlace);
  await expect.poll(kept).toBe(1501);
  await page.keyboard.press("Control+f");
  const field = page.getByRole("textbox", { name: "Find in this run" });
  await expect(field).toBeFocused();
  await page.keyboard.type("nobody wrote this");
  await expect(page).toHaveURL(/find=nobody/);
  expect(await kept()).toBe(1501);
  await field.press("Escape");
  await expect(page).not.toHaveURL(/find=/);
  expect(await kept()).toBe(1501);
  await page.getByRole("link", { name: "Runs", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();
  await page.goBack();
  await expect(map).toHaveAttribute("aria-valuenow", "1501");
});

test("a link by a tool call goes to its step, and new steps that match a filter appear by themselves", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Follow me", agent: "external" });
  const append = (count: number, part: object = {}) =>
    api.ask("POST", `/agent/run/${run.id}/logs`, { entries: Array.from({ length: count }, () => step(part)) });
  await append(120);
  await append(1, { tool_call_id: "call-7" });
  await append(60);
  const trace = `${product.url}/runs/${run.id}`;
  await page.goto(`${trace}?toolCallId=call-7`);
  await expect(page).toHaveURL(`${trace}?entry=121`);
  await expect(cardOf(page, 121)).toBeVisible();
  await page.goto(`${trace}?toolCallId=nobody`);
  await expect(page.getByText("The run has no such tool call").first()).toBeVisible();
  await expect(page).toHaveURL(trace);

  await page.goto(`${trace}?errors=1`);
  await expect(page.getByRole("heading", { name: "No steps match the filter" })).toBeVisible();
  await append(3);
  await append(2, { tool_output: { status: "failed", exit_code: 1, output: "no" } });
  await expect(cardOf(page, 186)).toBeVisible();
  await expect(cardOf(page, 186)).toHaveAttribute("aria-posinset", "2");
  await expect(page.locator("[data-filter-count]")).toHaveText("2 of 186");
  for (let round = 0; round < 3; round += 1) {
    await append(30, { tool_output: { status: "failed", exit_code: 1, output: "no" } });
  }
  await append(5);
  await expect(page.locator("[data-filter-count]")).toHaveText("92 of 281");
  // A reader at the end stays at the end.
  await expect(cardOf(page, 276)).toBeVisible();
});

test("live steps are not folded while the reader watches, and are in their group when the reader comes back", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Read everything", agent: "external" });
  const append = (count: number, part: object) =>
    api.ask("POST", `/agent/run/${run.id}/logs`, { entries: Array.from({ length: count }, () => step(part)) });
  const read = { tool_name: "read", tool_input: { file_path: "lib/a.ts" } };
  await append(1, {});
  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(cardOf(page, 1)).toBeVisible();
  await append(3, { ...read, tool_output: { status: "failed" } });
  await expect(cardOf(page, 4)).toBeVisible();
  await expect(page.getByRole("article", { name: /^Steps/ })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("article", { name: "Steps 2 to 4, Explored 1 file, 3 failed" })).toBeVisible();
  await expect(cardOf(page, 4)).toHaveCount(0);
});

test("what is pressed at the end of a live run stays under the pointer while steps come, and the end is followed after it", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Count", agent: "external" });
  const append = (entries: object[]) => api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
  const output = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");
  await append([...Array.from({ length: 20 }, () => step({})), step({ tool_output: { status: "completed", output } })]);
  await page.goto(`${product.url}/runs/${run.id}`);
  const last = cardOf(page, 21);
  // The end of the list, to which a slow page comes only after it has shown the beginning of this card.
  await expect(last.getByRole("button", { name: "Show all 200 lines" })).toBeInViewport({ ratio: 1 });

  await last.getByText("shell").first().hover();
  await page.mouse.down();
  const before = await last.boundingBox();
  await append([step({}), step({})]);
  const toLatest = page.getByRole("button", { name: /^(Latest|\d+ new)$/ });
  await expect(toLatest).toBeVisible();
  expect(await last.boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(cardOf(page, 23)).toBeInViewport({ ratio: 1 });

  await last.getByRole("button", { name: "Show all 200 lines" }).hover();
  await page.mouse.down();
  await append([step({}), step({})]);
  await expect(toLatest).toBeVisible();
  await page.mouse.up();
  await expect(last.getByText("line 100", { exact: true })).toBeAttached();
  await expect(last).toBeInViewport();
});

function step(part: object): object {
  return {
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: "npm test" },
    tool_output: { status: "completed", exit_code: 0, output: "one\ntwo" },
    ...part,
  };
}

/** The first of two consecutive reads, with other steps before and after, within a window's length of the beginning. */
async function firstPair(api: ApiClient, runId: number): Promise<number> {
  const { body } = await api.ask("GET", `/agent/run/${runId}/logs?limit=50&clip=10`);
  const tools = (body.logs as { tool_name: string | null }[]).map(({ tool_name }) => tool_name);
  const isLook = (index: number) => tools[index] === "read" || tools[index] === "grep";
  const index = tools.findIndex(
    (tool, place) =>
      tool === "read" && tools[place + 1] === "read" && !isLook(place - 1) && !isLook(place + 2) && place > 2,
  );
  expect(index).toBeGreaterThan(0);
  return index + 1;
}

async function focusedPlaceOtherThan(page: Page, place: number): Promise<number> {
  let found: number | null = null;
  await expect
    .poll(async () => {
      found = await focusedPlace(page);
      return found;
    })
    .not.toBe(place);
  return found ?? 0;
}

test("in compact density nothing of a step is drawn over the next one", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.addInitScript(() => localStorage.setItem("errand-density", "compact"));
  for (const width of [375, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${product.url}/runs/${runId}?entry=12000`);
    await expect(cardOf(page, 12_000)).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
    const drawnOver = await page.getByRole("article").evaluateAll((articles) =>
      articles.flatMap((article) => {
        const raw = article.querySelector("button[aria-pressed][title]");
        const link = article.querySelector("a[title]");
        if (raw === null || link === null) return [];
        const boxOf = (element: Element) => element.getBoundingClientRect();
        const [inner, outer, number] = [boxOf(raw), boxOf(article), boxOf(link)] as const;
        const isApart = inner.right <= number.left || inner.left >= number.right || inner.top >= number.bottom;
        return inner.bottom <= outer.bottom && inner.left >= outer.left && isApart ? [] : [article.ariaLabel];
      }),
    );
    expect(drawnOver, `at ${width} px`).toEqual([]);
  }
});
