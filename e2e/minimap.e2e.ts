import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import type { Product } from "./product.ts";
import { expect, test } from "./test.ts";

const total = 2000;
/** Two are in the same part of the map, so that the second is found only by a closer look. */
const failures = [700, 703, 1500];

test("a press on the map goes to the place, the map shows it, and keys move on from there", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const { runId } = await reportedRun(product);
  await page.goto(`${product.url}/runs/${runId}?entry=1`);
  const map = page.getByRole("slider", { name: "Position in the run" });
  await expect(map.locator("canvas")).toBeVisible();
  await expect(map).toHaveAttribute("aria-valuetext", "Step 1 of 2,000");
  const box = await map.boundingBox();
  if (box === null) throw new Error("The map is not shown.");
  await page.mouse.click(box.x + 15, box.y + box.height / 2);
  await expect(cardOf(page, 1000)).toBeVisible();
  await expect.poll(() => placeOf(page)).toBeGreaterThan(980);
  expect(await placeOf(page)).toBeLessThan(1005);

  await page.mouse.move(box.x + 15, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 15, box.y + box.height / 4, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => placeOf(page)).toBeLessThan(520);
  expect(await placeOf(page)).toBeGreaterThan(480);

  // Errors are next to the kinds: a press near one goes to that entry.
  await page.mouse.click(box.x + 34, box.y + 8 + (box.height - 16) * (1500 / total));
  await expect.poll(() => placeOf(page)).toBe(1500);

  await map.press("Home");
  await expect.poll(() => placeOf(page)).toBe(1);
  await map.press("ArrowDown");
  await expect.poll(() => placeOf(page)).toBe(2);
  await map.press("PageDown");
  await expect.poll(() => placeOf(page)).toBe(102);
  await map.press("End");
  await expect(cardOf(page, total)).toBeVisible();

  await page.setViewportSize({ width: 700, height: 800 });
  await expect(map).toBeHidden();
});

test("J and K go from error to error, a colon to a step, a question mark shows the keys", async ({
  signedIn: page,
  product,
}) => {
  const { runId, append } = await reportedRun(product);
  await page.goto(`${product.url}/runs/${runId}?entry=1`);
  await expect(page.getByRole("article").first()).toBeVisible();
  for (const [key, seq] of [
    ["Shift+J", 700],
    ["Shift+J", 703],
    ["Shift+J", 1500],
    ["Shift+K", 703],
    ["Shift+K", 700],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focusedSeq(page)).toBe(seq);
  }
  await page.keyboard.press("Shift+K");
  await expect(page.getByText("No errors before this step", { exact: true })).toBeVisible();

  // A new error counts too.
  await append(total + 1, true);
  await expect(page.getByText("2,001 steps").first()).toBeVisible();
  for (const [key, seq] of [
    ["Shift+G", total + 1],
    ["k", total],
    ["k", total - 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => focusedSeq(page)).toBe(seq);
  }
  await expect(cardOf(page, total + 1)).toBeVisible();
  await page.keyboard.press("Shift+J");
  await expect.poll(() => focusedSeq(page)).toBe(total + 1);

  await page.keyboard.press(":");
  const step = page.getByRole("textbox", { name: "Step number" });
  await step.fill("5000");
  await step.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "A number from 1 to 2,001" })).toBeVisible();
  await step.fill("1,234");
  await step.press("Enter");
  await expect.poll(() => focusedSeq(page)).toBe(1234);
  await expect.poll(() => page.url()).toContain("?entry=1234");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toContainText("Next and previous error");
  await expect(keys.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  // A reader who moves on before the address follows is not taken back.
  await page.keyboard.press(":");
  await step.fill("777");
  await step.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("g");
  await expect(page).toHaveURL(/\?entry=777$/);
  await expect.poll(() => focusedSeq(page)).toBe(1);
});

/** An external run with these failures, and a function that adds a step to it. */
async function reportedRun(product: Product) {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Run every test", agent: "external" });
  const append = async (first: number, isFailed: boolean, count = 1) => {
    const entries = Array.from({ length: count }, (_, index) => action(first + index, isFailed));
    const { status, body } = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
    expect([status, body.total_logs]).toEqual([200, first + count - 1]);
  };
  let first = 1;
  for (const failure of [...failures, total + 1]) {
    for (; first < failure; first += Math.min(1000, failure - first)) {
      await append(first, false, Math.min(1000, failure - first));
    }
    if (failure <= total) await append(failure, true);
    first = failure + 1;
  }
  return { runId: run.id, append };
}

function action(seq: number, isFailed: boolean): object {
  return {
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: `npm test -- ${seq}` },
    tool_output: { status: isFailed ? "failed" : "completed", exit_code: isFailed ? 1 : 0, output: "one\ntwo\nthree" },
  };
}

function cardOf(page: Page, seq: number) {
  return page.locator(`article[data-seq="${seq}"][tabindex]`);
}

async function placeOf(page: Page): Promise<number> {
  return Number(await page.getByRole("slider", { name: "Position in the run" }).getAttribute("aria-valuenow"));
}

function focusedSeq(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const seq = document.activeElement?.getAttribute("data-seq");
    return seq === null || seq === undefined ? null : Number(seq);
  });
}
