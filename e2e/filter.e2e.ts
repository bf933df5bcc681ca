import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test, largeTraceEntries as total } from "./test.ts";
import { cardOf, focusedPlace } from "./trace-cards.ts";

const thousands = (count: number) => count.toLocaleString("en-US");

test("a filter by type, tool, errors and text shows what the API returns, and is in the address, through reload and back", async ({
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

  // The last of them is the last card, by its place in the list and by its number in the run.
  const { body: end } = await api.ask(
    "GET",
    `/agent/run/${runId}/logs?tool_name=shell&errors=true&skip=${failures - 1}&clip=10`,
  );
  const lastSeq = (end.logs as { seq: number }[])[0]?.seq ?? 0;
  await page.keyboard.press("Shift+G");
  await expect(cardOf(page, lastSeq)).toBeFocused();
  await expect(cardOf(page, lastSeq)).toHaveAttribute("aria-posinset", String(failures));
  await expect(cardOf(page, lastSeq)).toHaveAttribute("aria-setsize", String(failures));
  await page.keyboard.press("Shift+K");
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

test("each filter is announced once, with its own number of steps", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  const api = await ApiClient.create(product);
  const announcementOf = async (query: string) => {
    const { body } = await api.ask("GET", `/agent/run/${runId}/logs?limit=1&${query}`);
    return `Showing ${thousands(Number(body.matching_logs))} of ${thousands(total)} steps`;
  };
  await page.goto(`${product.url}/runs/${runId}?type=ERROR`);
  const announcement = page.getByRole("search", { name: "Steps" }).getByRole("status");
  const first = await announcementOf("message_type=ERROR");
  await expect(announcement).toHaveText(first);
  const heard = await page.evaluateHandle(() => {
    const texts: string[] = [];
    new MutationObserver(() => {
      const text = document.querySelector("search[aria-label=Steps] [role=status]")?.textContent ?? "";
      if (text !== "" && text !== texts.at(-1)) texts.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  await page.keyboard.press("f");
  const menu = page.getByRole("dialog", { name: "Filter the steps" });
  await menu.getByLabel("grep").check();
  const both = await announcementOf("message_type=ERROR&tool_name=grep");
  await expect(announcement).toHaveText(both);
  await menu.getByLabel("Error", { exact: true }).uncheck();
  const last = await announcementOf("tool_name=grep");
  await expect(announcement).toHaveText(last);
  expect(await heard.jsonValue()).toEqual([first, both, last]);
});

test("a step hidden by the filter is offered among all steps, and the map goes to shown steps", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}?type=FINAL_ANSWER`);
  await expect(cardOf(page, total)).toBeVisible();
  await page.keyboard.press(":");
  const step = page.getByRole("textbox", { name: "Step number" });
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
  const map = page.getByRole("slider", { name: "Position in the run" });
  await expect.poll(async () => Number(await map.getAttribute("aria-valuenow"))).toBeGreaterThanOrEqual(15_000);
  const box = await map.boundingBox();
  if (box === null) throw new Error("The map is not shown.");
  await page.mouse.click(box.x + 15, box.y + 8 + (box.height - 16) / 4);
  await expect.poll(async () => Number(await map.getAttribute("aria-valuenow"))).toBeLessThan(8_000);
  expect(Number(await map.getAttribute("aria-valuenow"))).toBeGreaterThan(7_000);
});

test("the view of thoughts and answers links to the tool calls between them", async ({
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

test("between thoughts only tool calls are counted, also after the last one and while the run grows", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Count the calls", agent: "external" });
  const append = async (entries: object[]) =>
    expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
  const plan = (thought: string) => ({ message_type: "PLAN_EVALUATION", thought });
  const call = { message_type: "ACTION", tool_name: "shell", tool_input: { command: "npm test" }, tool_output: {} };
  await append([
    plan("one"),
    call,
    call,
    { message_type: "ERROR", observation: { message: "no" } },
    plan("two"),
    call,
    call,
    call,
  ]);
  await page.goto(`${product.url}/runs/${run.id}?prose=1`);
  await expect(cardOf(page, 1).getByRole("button", { name: "2 tool calls" })).toBeVisible();
  await expect(cardOf(page, 5).getByRole("button", { name: "3 tool calls" })).toBeVisible();
  await append([call, call]);
  await expect(cardOf(page, 5).getByRole("button", { name: "5 tool calls" })).toBeVisible();
  await append([{ ...call, thought: "three" }]);
  await expect(cardOf(page, 11).getByRole("button", { name: "1 tool call" })).toBeVisible();
  await expect(cardOf(page, 5).getByRole("button", { name: "5 tool calls" })).toBeVisible();

  // Among steps that another condition hides may be others than calls.
  await page.goto(`${product.url}/runs/${run.id}?type=ACTION,PLAN_EVALUATION&prose=1`);
  await expect(cardOf(page, 5)).toBeVisible();
  await expect(page.getByRole("button", { name: /tool calls?$/ })).toHaveText(["Show the tool call"]);
  await page.getByRole("button", { name: "Show the tool call" }).click();
  await expect(page).toHaveURL(`${product.url}/runs/${run.id}?entry=11`);
});

test("a choice taken back at once leaves the count, and no more tools can be chosen than a filter has room for", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Use many tools", agent: "external" });
  const tools = Array.from({ length: 22 }, (_, index) => `tool-${String(index + 1).padStart(2, "0")}`);
  const entries = tools.map((tool_name) => ({ message_type: "ACTION", tool_name, tool_input: {}, tool_output: {} }));
  expect((await api.ask("POST", `/agent/run/${run.id}/logs`, { entries })).status).toBe(200);
  const trace = `${product.url}/runs/${run.id}`;
  await page.goto(
    `${trace}?${tools
      .slice(0, 19)
      .map((tool) => `tool=${tool}`)
      .join("&")}`,
  );
  const count = page.locator("[data-filter-count]");
  await expect(count).toHaveText("19 of 22");
  await page.keyboard.press("f");
  const menu = page.getByRole("dialog", { name: "Filter the steps" });
  const errors = menu.getByLabel("Errors only");
  // Twice before the address can follow.
  await errors.evaluate(async (box: HTMLElement) => {
    box.click();
    await Promise.resolve();
    box.click();
  });
  await expect(errors).not.toBeChecked();
  await expect(count).toHaveText("19 of 22");
  await expect(menu.getByLabel("tool-22")).toBeEnabled();
  await menu.getByLabel("tool-20").check();
  await expect(count).toHaveText("20 of 22");
  await expect(menu.getByLabel("tool-21")).toBeDisabled();
  await expect(menu.getByRole("group", { name: "Tools (20 at most)" })).toBeVisible();
  await menu.getByLabel("tool-01").uncheck();
  await menu.getByLabel("tool-21").check();
  await expect(count).toHaveText("20 of 22");
  await expect(page).toHaveURL(/tool-21/);
});

test("the text of a filter can be typed on after it was applied or emptied", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}`);
  await expect(cardOf(page, 1)).toBeVisible();
  await page.keyboard.press("f");
  const field = page.getByRole("dialog", { name: "Filter the steps" }).getByRole("searchbox");
  await expect(field).toBeFocused();
  await page.keyboard.type("npm");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/text=npm$/);
  await page.keyboard.type(" test");
  await expect(field).toHaveValue("npm test");
  await field.selectText();
  await page.keyboard.press("Delete");
  await page.keyboard.type("make");
  await expect(field).toHaveValue("make");
});

async function expectShown(page: Page, count: number): Promise<void> {
  await expect(page.locator("[data-filter-count]")).toHaveText(`${thousands(count)} of ${thousands(total)}`);
}
