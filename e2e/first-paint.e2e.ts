import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const prompt = "Greet.\n\nUse **bold words** and `code`.\n\n```sh\ntrue\n```\n";

test("Markdown is never painted raw: not by the server, not coming from the list, and not live", async ({
  signedIn: page,
  product,
}) => {
  await recordPaints(page);
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Listed", agent: "external" });
  await api.ask("POST", `/agent/run/${run.id}/logs`, {
    entries: [{ message_type: "FINAL_ANSWER", observation: "I used **bold words**." }],
  });
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed" });
  const bold = page.getByRole("main").locator("strong", { hasText: "bold words" }).first();

  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(bold).toBeVisible();
  await expect(page.locator("[data-island]")).toHaveCount(0);
  expect(await paintsOf(page)).toEqual({ raw: [], drawn: true });

  // In a new document without any Markdown so far.
  await page.goto(`${product.url}/runs`);
  await page
    .getByRole("link", { name: /Listed/ })
    .first()
    .click();
  await expect(bold).toBeVisible();
  expect(await paintsOf(page)).toEqual({ raw: [], drawn: true });

  await page.goto(`${product.url}/runs/new`);
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  await page.getByRole("button", { name: "Start run" }).click();
  await expect(bold).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();
  expect(await paintsOf(page)).toEqual({ raw: [], drawn: true });
});

/** From now on the run's page records texts that its frames show with Markdown's asterisks. */
async function recordPaints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const paints = { raw: [] as string[], drawn: false };
    Object.assign(window, { paints });
    const look = () => {
      requestAnimationFrame(look);
      if (!/^\/runs\/\d+$/.test(location.pathname)) return;
      const text = document.querySelector("main")?.innerText ?? "";
      const at = text.indexOf("**");
      const raw = text.slice(Math.max(0, at - 80), at + 20);
      if (at === -1) paints.drawn ||= text.includes("bold words");
      else if (!paints.raw.includes(raw)) paints.raw.push(raw);
    };
    requestAnimationFrame(look);
  });
}

async function paintsOf(page: Page): Promise<unknown> {
  return await page.evaluate(() => Object(window).paints);
}
