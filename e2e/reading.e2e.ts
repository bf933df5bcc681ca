import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test, largeTraceEntries as total } from "./test.ts";

const thousands = (count: number) => count.toLocaleString("en-US");

test("a filter by type, tool, errors and text leaves what the API says, in the address, through reload and back", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  const api = await ApiClient.create(product);
  const counted = async (query: string) =>
    Number((await api.ask("GET", `/agent/run/${runId}/logs?limit=1&${query}`)).body.matching_logs);
  const trace = `${product.url}/runs/${runId}`;
  await page.goto(trace);
  await expect(cardOf(page, 1)).toBeVisible();

  await page.keyboard.press("f");
  const menu = page.getByRole("dialog", { name: "Filter the steps" });
  await expect(menu.getByRole("searchbox")).toBeFocused();
  await menu.getByLabel("Error", { exact: true }).check();
  await expectShown(page, await counted("message_type=ERROR"));
  await expect(page).toHaveURL(`${trace}?type=ERROR`);
  await menu.getByLabel("Error", { exact: true }).uncheck();
  const tools = (await api.ask("GET", `/agent/run/${runId}/logs/tools`)).body.items as { tool_name: string }[];
  const grep = tools.find(({ tool_name }) => tool_name === "grep");
  expect(grep).toMatchObject({ count: await counted("tool_name=grep") });
  await menu.getByLabel("grep").check();
  await expectShown(page, await counted("tool_name=grep"));
  await menu.getByLabel("grep").uncheck();
  await menu.getByLabel("shell").check();
  await menu.getByLabel("Errors only").check();
  const failures = await counted("tool_name=shell&errors=true");
  await expectShown(page, failures);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${trace}?tool=shell&errors=1`);

  // The last of them is the last card, by its place in what is shown and by its number in the run.
  const { body: end } = await api.ask(
    "GET",
    `/agent/run/${runId}/logs?tool_name=shell&errors=true&skip=${failures - 1}&clip=10`,
  );
  const lastSeq = (end.logs as { seq: number }[])[0]?.seq ?? 0;
  await page.keyboard.press("G");
  await expect(cardOf(page, lastSeq)).toBeFocused();
  await expect(cardOf(page, lastSeq)).toHaveAttribute("aria-posinset", String(failures));
  await expect(cardOf(page, lastSeq)).toHaveAttribute("aria-setsize", String(failures));
  await page.keyboard.press("K");
  await expect.poll(() => focusedPlace(page)).toBe(failures - 1);

  await page.reload();
  await expectShown(page, failures);
  await page.getByRole("button", { name: "Remove the filter Errors only" }).click();
  await expectShown(page, await counted("tool_name=shell"));
  await page.goBack();
  await expectShown(page, failures);
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page).toHaveURL(trace);

  await page.goto(`${trace}?text=needle-37`);
  await expectShown(page, 1);
  await expect(page.getByText("Here is needle-37.")).toBeVisible();
  await page.goto(`${trace}?text=nobody+wrote+this`);
  await expect(page.getByRole("heading", { name: "No steps match the filter" })).toBeVisible();
  await page.getByRole("button", { name: "Show all steps" }).click();
  await expect(cardOf(page, 1)).toBeVisible();
});

test("a step that the filter hides is offered among all steps, and the map goes to what is shown", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}?type=FINAL_ANSWER`);
  await expect(cardOf(page, total)).toBeVisible();
  await page.keyboard.press(":");
  const step = page.getByRole("textbox", { name: "Number of the step" });
  await step.fill("15,000");
  await step.press("Enter");
  await expect(page.getByText("Step 15,000 is hidden by the filter.")).toBeVisible();
  await page.getByRole("button", { name: "Show it among all steps" }).click();
  await expect(cardOf(page, 15_000)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/runs/${runId}?entry=15000`);
  await page.goBack();
  await expectShown(page, 1);

  await page.goto(`${product.url}/runs/${runId}?type=ERROR&entry=15000`);
  await expect(page.getByText("Step 15,000 is hidden by the filter.")).toBeVisible();
  const map = page.getByRole("slider", { name: "Place in the run" });
  await expect.poll(async () => Number(await map.getAttribute("aria-valuenow"))).toBeGreaterThanOrEqual(15_000);
  const box = await map.boundingBox();
  if (box === null) throw new Error("The map is not shown.");
  await page.mouse.click(box.x + 15, box.y + 8 + (box.height - 16) / 4);
  await expect.poll(async () => Number(await map.getAttribute("aria-valuenow"))).toBeLessThan(8_000);
  expect(Number(await map.getAttribute("aria-valuenow"))).toBeGreaterThan(7_000);
});

test("reads in a row are one line that opens and folds, alone and all together, and a link opens the one it leads into", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
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
  await expect(page.getByText(`The link to step ${first} is copied`).first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${product.url}/runs/${runId}?entry=${first}`);
  expect(page.url()).toBe(link);

  // The first message is longer than what is shown of it.
  await page.keyboard.press("g");
  await expect.poll(() => focusedPlace(page)).toBe(1);
  await page.keyboard.press("e");
  await expect(cardOf(page, 1).getByRole("button", { name: "Show less" })).toBeVisible();
  await page.keyboard.press("e");
  await expect(cardOf(page, 1).getByRole("button", { name: "Show all" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Collapse or expand all groups");
});

test("a reload and going back lead to where the reader was, and the density is there before the first paint", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}`);
  await expect(cardOf(page, 1)).toBeVisible();
  await page.getByRole("slider", { name: "Place in the run" }).press("PageDown");
  const place = () => page.getByRole("slider", { name: "Place in the run" }).getAttribute("aria-valuenow");
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
  // What a tool said is a press away.
  await page.getByRole("button", { name: "Show the result" }).first().click();
  await expect(page.getByRole("button", { name: "Fold the result" }).first()).toBeVisible();
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.dataset.early = document.documentElement.dataset.density;
    });
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-early", "compact");
});

test("thoughts and answers alone lead to the tool calls between them", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  const api = await ApiClient.create(product);
  const { body } = await api.ask("GET", `/agent/run/${runId}/logs?prose=true&limit=3&clip=10`);
  const [, second, third] = (body.logs as { seq: number }[]).map(({ seq }) => seq);
  if (second === undefined || third === undefined) throw new Error("Nothing is said in the trace.");
  await page.goto(`${product.url}/runs/${runId}`);
  await page.getByRole("button", { name: "Thoughts and answers" }).click();
  await expectShown(page, Number(body.matching_logs));
  const calls = third - second;
  const chip = cardOf(page, second).getByRole("button", { name: calls === 1 ? "1 tool call" : `${calls} tool calls` });
  await expect(cardOf(page, second).getByText("npm test")).toHaveCount(0);
  await chip.click();
  await expect(cardOf(page, second)).toContainText("npm test");
  await expect(page).toHaveURL(`${product.url}/runs/${runId}?entry=${second}`);
  await page.goBack();
  await expectShown(page, Number(body.matching_logs));
});

test("a link by a tool call leads to its step, and new steps that pass a filter appear by themselves", async ({
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
  // Who was at the end has been taken along.
  await expect(cardOf(page, 276)).toBeVisible();
});

test("what comes live is not folded away under the reader's eyes, and stands in its group when it is come back to", async ({
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

function step(part: object): object {
  return {
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: "npm test" },
    tool_output: { status: "completed", exit_code: 0, output: "one\ntwo" },
    ...part,
  };
}

/** The first of two reads in a row, with something else before and after, at most a window apart from the beginning. */
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

async function expectShown(page: Page, count: number): Promise<void> {
  await expect(page.locator("[data-filter-count]")).toHaveText(`${thousands(count)} of ${thousands(total)}`);
}

function cardOf(page: Page, seq: number) {
  return page.locator(`article[data-seq="${seq}"][tabindex]`);
}

/** The place from 1 of the card that has the focus, itself or with something in it. */
function focusedPlace(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const place = document.activeElement?.closest("[aria-posinset]")?.getAttribute("aria-posinset");
    return place === null || place === undefined ? null : Number(place);
  });
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
