import { gzipSync } from "node:zlib";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

/** Maximum gzipped size of all scripts that a run's page loads before it can be used. More than half is the framework's. */
const firstLoadMax = 270 * 1024;
/**
 * The same with the scripts that load later. One KiB marks letters and spaces that read as others; six are what a terminal shows at
 * the end, the texts that a find looks at, and the rest of what a call got; two copy a selection across steps, and name turns
 * that failed, titles and days.
 */
const withTextsMax = 379 * 1024;

test("the script of a run's page stays small: code, changes and dialogs load on demand", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Size", agent: "external" });
  await api.ask("POST", `/agent/run/${run.id}/logs`, {
    entries: [
      {
        message_type: "ACTION",
        thought: "I **run** `npm test` first.",
        tool_name: "Bash",
        tool_input: { command: "npm test" },
        tool_output: { exit_code: 0, output: "\u001B[32mok\u001B[0m" },
      },
      { message_type: "FINAL_ANSWER", observation: "All is *well*:\n\n- one\n- two" },
    ],
  });
  const address = `${product.url}/runs/${run.id}`;
  const html = await (await page.request.get(address)).text();
  const first = new Set([...html.matchAll(/<script[^>]*? src="([^"]+)"(?![^>]*nomodule)/gi)].map(([, path]) => path));
  expect(first.size).toBeGreaterThan(3);

  // Requests of the previous page do not count.
  await page.goto("about:blank");
  const loaded = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "script") loaded.add(new URL(request.url()).pathname);
  });
  await page.goto(address);
  await expect(page.getByRole("listitem").filter({ hasText: "two" })).toBeVisible();
  await expect(page.locator("[data-island]")).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  const sizes = new Map<string, number>();
  for (const path of loaded) {
    const response = await page.request.get(product.url + path);
    expect(response.status()).toBe(200);
    sizes.set(path, gzipSync(await response.body(), { level: 9 }).length);
  }
  const sum = (isCounted: (path: string) => boolean) =>
    [...sizes].reduce((total, [path, size]) => total + (isCounted(path) ? size : 0), 0);
  test
    .info()
    .annotations.push({ type: "script", description: `${sum((path) => first.has(path))}, ${sum(() => true)}` });
  expect(sum((path) => first.has(path))).toBeLessThanOrEqual(firstLoadMax);
  expect(sum(() => true)).toBeLessThanOrEqual(withTextsMax);
});
