import { copyFile, readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const hostile =
  "</script></details></pre><img src=https://example.com/x.png onerror=alert(1)><script>alert(2)</script>";
const prompt = `Say something odd.\n\`\`\`sh\necho '${hostile}'; seq 1 500\n\`\`\`\n\`\`\`js path=made.mjs\nexport default 1;\n\`\`\``;

async function finishedRun(api: ApiClient): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  return Number(run.id);
}

/** Chooses from the menu by keyboard alone. Returns the file. */
async function download(page: Page, label: string): Promise<{ name: string; path: string; text: string }> {
  await page.getByRole("button", { name: "Export" }).press("Enter");
  const arriving = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: label }).press("Enter");
  const file = await arriving;
  const path = await file.path();
  return { name: file.suggestedFilename(), path, text: await readFile(path, "utf8") };
}

test("a run is exported as JSON, Markdown and a page that opens offline", { tag: "@short" }, async ({
  product,
  signedIn: page,
  browser,
}) => {
  const api = await ApiClient.create(product);
  const id = await finishedRun(api);
  await page.goto(`${product.url}/runs/${id}`);

  const json = await download(page, "JSON");
  expect(json.name).toBe(`errand-run-${id}-say-something-odd.json`);
  const { body: run } = await api.ask("GET", `/agent/run/${id}`);
  const { body: page1 } = await api.ask("GET", `/agent/run/${id}/logs`);
  expect(JSON.parse(json.text)).toEqual({ ...run, logs: page1.logs });

  const markdown = await download(page, "Markdown");
  expect(markdown.name).toMatch(/\.md$/);
  expect(markdown.text).toContain(`\`\`\`sh\necho '${hostile}'; seq 1 500`);

  const html = await download(page, "HTML");
  expect(html.name).toMatch(/\.html$/);
  const offline = await browser.newContext({ offline: true, javaScriptEnabled: true });
  const reader = await offline.newPage();
  const asked: string[] = [];
  const dialogs: string[] = [];
  reader.on("request", (request) => asked.push(request.url()));
  reader.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  // The browser saves it under another name, and recognizes a page by its extension.
  const local = `${html.path}.html`;
  await copyFile(html.path, local);
  await reader.goto(pathToFileURL(local).href);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText(`Run ${id}: Say something odd.`);
  await expect(reader.locator("article")).toHaveCount(Number(run.total_logs));
  await reader.locator("summary").filter({ hasText: "Output" }).first().click();
  await expect(reader.locator("details[open] pre")).toContainText(hostile);
  expect(await reader.locator("script, img, iframe, link").count()).toBe(0);
  expect({ asked, dialogs }).toEqual({ asked: [pathToFileURL(local).href], dialogs: [] });
  await offline.close();
});

test("the menu of files fits a narrow screen", async ({ product, signedIn: page }) => {
  const id = await finishedRun(await ApiClient.create(product));
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto(`${product.url}/runs/${id}`);
  await page.getByRole("button", { name: "More" }).click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: /^(JSON|Markdown|HTML)/ })).toHaveCount(3);
  const box = await menu.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(375);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});
