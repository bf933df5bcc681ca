import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { findings, showIn, wide } from "./look.ts";
import { expect, largeTraceEntries, test } from "./test.ts";

type Span = { seq: number; at: string; duration_ms: number; tool_name: string | null; lane: number | null };

test("zooming from the whole run to a bar: it agrees with its entry, and a click goes there", {
  tag: "@short",
}, async ({ signedIn: page, product, largeTrace: { runId } }) => {
  await page.goto(`${product.url}/runs/${runId}`);
  await page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Timeline" }).click();
  await expect(chartOf(page).locator("canvas")).toBeVisible();
  await expect(
    page.getByText(`${largeTraceEntries.toLocaleString("en-US")} steps`, { exact: true }).last(),
  ).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Agent" })).toBeVisible();

  // A long call somewhere in the middle, from the API.
  const api = await ApiClient.create(product);
  const path = `/agent/run/${runId}/logs`;
  const whole = (await api.ask("GET", `${path}/timeline?buckets=240`)).body as {
    parts: { from: string; idle_ms: number }[];
  };
  const from = whole.parts.slice(100).find(({ idle_ms }) => idle_ms === 0)?.from ?? "";
  const to = new Date(Date.parse(from) + 240_000).toISOString();
  const { spans } = (await api.ask("GET", `${path}/timeline?from=${from}&to=${to}`)).body as { spans: Span[] };
  const longest = spans
    .filter(
      ({ lane, at, duration_ms }) =>
        lane !== null && Date.parse(at) < Date.parse(to) && Date.parse(at) - duration_ms > Date.parse(from),
    )
    .sort((one, other) => other.duration_ms - one.duration_ms)[0];
  if (longest === undefined) throw new Error("no bar lies in the range");
  const entry = (await api.ask("GET", `${path}/${longest.seq}`)).body as {
    created_at: string;
    tool_name: string;
    tool_output: { duration_ms: number };
  };
  expect([longest.at, longest.duration_ms, longest.tool_name]).toEqual([
    entry.created_at,
    entry.tool_output.duration_ms,
    entry.tool_name,
  ]);

  // A link to a view shows that view with its bars.
  await page.goto(`${product.url}/runs/${runId}?tab=timeline&from=${from}&to=${to}`);
  const row = page.locator(`[data-seq-row="${longest.seq}"]`);
  await showAllRows(page);
  await expect(row).toContainText(entry.tool_name);
  const seconds = Math.floor(longest.duration_ms / 100) / 10;
  await expect(row).toContainText(`${seconds.toFixed(1)}s`);

  // The bar is at its time, and as long as its tool took.
  await chartOf(page).evaluate((chart) => chart.scrollIntoView({ block: "center" }));
  const box = await chartBox(page);
  const x = box.x + (Date.parse(longest.at) - longest.duration_ms / 2 - Date.parse(from)) * (box.width / 240_000);
  const lanes = box.y + Number(await chartOf(page).getAttribute("data-lanes-top"));
  const words = `Step ${longest.seq.toLocaleString("en-US")} · ${seconds.toFixed(1)}s`;
  const tip = page.locator("[data-tip]");
  let y = lanes + 10;
  // Its lane depends on what else is in view.
  for (; y < box.y + box.height; y += 20) {
    await page.mouse.move(x, y);
    const isThere = tip.filter({ hasText: words }).waitFor({ timeout: 500 });
    if (
      await isThere.then(
        () => true,
        () => false,
      )
    ) {
      break;
    }
  }
  await expect(tip).toContainText(words);
  await expect(row).toHaveClass(/(^| )bg-accent/);
  await page.mouse.click(x, y);
  await expect(page).toHaveURL(new RegExp(`entry=${longest.seq}`));
  await expect(page.locator(`article[data-seq="${longest.seq}"][tabindex]`)).toBeInViewport();
  await page.goBack();
  await expect(row).toBeVisible();

  // The list of steps is already loaded now, at another place.
  const other = page.locator("[data-seq-row]").first();
  const seq = Number(await other.getAttribute("data-seq-row"));
  const endedAt = await other.locator("time").innerText();
  await other.getByRole("link").click();
  const card = page.locator(`article[data-seq="${seq}"][tabindex]`);
  await expect(card).toBeInViewport();
  await expect(card.locator("time").first(), "the same time in both views").toHaveText(endedAt);
});

test("wheel, drag and keys change the view, the address follows, and a reload keeps it", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}?tab=timeline`);
  await expect(page.getByText("The whole run")).toBeVisible();
  const whole = await lengthOf(page);
  const box = await chartBox(page);

  await page.mouse.move(box.x + box.width * 0.5, box.y + 200);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  await expect(page.getByText("The whole run")).toBeHidden();
  await expect(page).toHaveURL(/from=.*to=/);
  const wheeled = viewOf(page);
  expect(wheeled.to - wheeled.from).toBeLessThan(whole * 0.9);

  // From a quarter to a half of the view.
  await page.mouse.move(box.x + box.width * 0.25, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 210, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => viewOf(page).from).not.toBe(wheeled.from);
  const dragged = viewOf(page);
  expect(Math.abs((dragged.to - dragged.from) / (wheeled.to - wheeled.from) - 0.25)).toBeLessThan(0.02);
  expect(Math.abs((dragged.from - wheeled.from) / (wheeled.to - wheeled.from) - 0.25)).toBeLessThan(0.02);

  for (let times = 0; times < 12 && !(await page.getByText(/steps in view$/).isVisible()); times += 1) {
    const before = page.url();
    await page.keyboard.press("+");
    await expect.poll(() => page.url()).not.toBe(before);
  }
  // Half of that, so that it has few neighbors even where idle time was in view.
  const nearly = page.url();
  await page.keyboard.press("+");
  await expect.poll(() => page.url()).not.toBe(nearly);
  await expect(page.getByText(/steps in view$/)).toBeVisible();
  const closer = viewOf(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => viewOf(page).from).toBeGreaterThan(closer.from);
  const panned = viewOf(page);

  await page.reload();
  await expect(page.getByText(/steps in view$/)).toBeVisible();
  expect(viewOf(page)).toEqual(panned);

  // The chart and its table point at the same step; Enter opens it.
  const seq = await pointAtStep(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`entry=${seq}(&|$)`));
  await page.goBack();
  await expect(page.getByText(/steps in view$/)).toBeVisible();

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toContainText("Hide or show idle time");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();

  await page.keyboard.press("0");
  await expect(page.getByText("The whole run")).toBeVisible();
  await expect(page).not.toHaveURL(/from=/);
});

test("a step opened right after zooming leads back to the zoomed view", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}?tab=timeline`);
  await expect(page.getByText("The whole run")).toBeVisible();
  for (let times = 0; times < 14 && !(await page.getByText(/steps in view$/).isVisible()); times += 1) {
    const before = page.url();
    await page.keyboard.press("+");
    await expect.poll(() => page.url()).not.toBe(before);
  }
  const seq = await pointAtStep(page);
  const lengthShown = () => viewOf(page).to - viewOf(page).from;
  const before = lengthShown();
  await page.evaluate(async () => {
    // Both before the address would have followed, and then until after that: the page's own timer runs first.
    for (const key of ["+", "Enter"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 400));
  });
  await expect(page).toHaveURL(new RegExp(`entry=${seq}(&|$)`));
  await page.goBack();
  await expect(page).toHaveURL(/tab=timeline/);
  await expect.poll(lengthShown).toBeLessThan(before * 0.9);
});

test("hiding idle time gives its room to the rest, and everything is legible on a phone and for a screen reader", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  // Colors fading from one scheme to the other would fail the contrast rule.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${product.url}/runs/${runId}?tab=timeline`);
  const idle = page.getByText("Idle", { exact: true }).first().locator("xpath=following-sibling::dd");
  await expect(idle).not.toHaveText(/^0m?s/);
  await page.getByRole("switch", { name: "Hide idle" }).click();
  await expect(page.getByRole("switch", { name: "Hide idle" })).toBeChecked();
  await page.keyboard.press("h");
  await expect(page.getByRole("switch", { name: "Hide idle" })).not.toBeChecked();
  for (const colorScheme of ["light", "dark"] as const) {
    await showIn(page, { ...wide, colorScheme });
    expect(await findings(page, { part: "main" })).toEqual([]);
  }
  await page.setViewportSize({ width: 375, height: 812 });
  await expect(chartOf(page).locator("canvas")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  await page.getByRole("table").getByRole("button").first().click();
  await expect(page.getByText("The whole run")).toBeHidden();
});

test("a live run grows at its right edge until it ends", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "Wait.\n```sh\necho one\n```\n```sh\nsleep 30\n```\n",
    agent: "steps",
  });
  await page.goto(`${product.url}/runs/${run.id}?tab=timeline`);
  await expect(page.locator('[data-seq-row="1"]')).toBeVisible();
  await expect(page.locator("[data-seq-row]").filter({ hasText: "shell" })).toBeVisible();
  const timeline = async () => (await api.ask("GET", `/agent/run/${run.id}/logs/timeline?buckets=1`)).body;
  expect(await timeline()).toMatchObject({ is_live: true, turns: [{ number: 1, to: null }] });
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  await expect.poll(async () => (await timeline()).is_live).toBe(false);
  await expect(page.locator("[data-seq-row]")).toHaveCount(Number((await timeline()).total_logs));
});

function chartOf(page: Page) {
  return page.getByRole("application", { name: "The run's activity over time" });
}

async function chartBox(page: Page) {
  const box = await chartOf(page).boundingBox();
  if (box === null) throw new Error("The chart is not shown.");
  return box;
}

async function showAllRows(page: Page): Promise<void> {
  await expect(page.getByText(/steps in view$/)).toBeVisible();
  const more = page.getByRole("button", { name: /^Show \d+ more$/ });
  if (await more.isVisible()) await more.click();
}

function viewOf(page: Page): { from: number; to: number } {
  const search = new URL(page.url()).searchParams;
  return { from: Date.parse(search.get("from") ?? ""), to: Date.parse(search.get("to") ?? "") };
}

/** The length of the whole run in ms. */
async function lengthOf(page: Page): Promise<number> {
  const source = new URL(page.url()).pathname.split("/").at(-1);
  return page.evaluate(async (runId) => {
    const answer = await fetch(`/v1/organizations/1/agent/run/${runId}/logs/timeline?buckets=1`);
    const { run_from, run_to } = await answer.json();
    return Date.parse(run_to) - Date.parse(run_from);
  }, source);
}

/**
 * Points at one place after another until the chart shows a single step: right after a move it only knows parts. Returns the
 * step's number.
 */
async function pointAtStep(page: Page): Promise<number> {
  const status = page.getByRole("status").filter({ hasText: /^.+, Step [\d,]+/ });
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(status).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const title = await page.locator("[data-tip] p").first().textContent();
  await expect(status).toHaveText(new RegExp(`^${title}, Step`));
  return Number(/Step ([\d,]+)/.exec((await status.textContent()) ?? "")?.[1]?.replaceAll(",", ""));
}
